// Command agents runs the evaluation set with a model and prints a table with each task's outcome, passed graders,
// steps, tokens and cost.
//
//	go run ./bench/agents
//	LECTERN_AGENT_ANTHROPIC_KEY=… go run ./bench/agents -model anthropic:NAME
//
// Keys, URLs and prices come from the environment variables of the settings agent.*.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/evaluation"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
)

func main() {
	model := flag.String("model", "builtin", "builtin, scripted, anthropic:NAME, openai:NAME or command")
	set := flag.String("set", "tasks",
		"tasks, or a set of phrasings: tuned, strangers, apart or strangers-apart; only totals are printed for the last two")
	only := flag.String("only", "", "run tasks whose name or request matches this `expression`")
	binary := flag.String("binary", "bin/lectern", "the program that confines a command (-model command)")
	verbose := flag.Bool("v", false, "print the graders that failed; not with the sets apart and strangers-apart")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *model, *set, *only, *binary, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, model, set, only, binary string, verbose bool) error {
	chosen, err := regexp.Compile("(?i)" + only)
	if err != nil {
		return fmt.Errorf("read -only: %w", err)
	}
	// individual results of this set are not shown, so that nobody optimizes for them
	apart := strings.HasSuffix(set, "apart")
	if apart && only != "" {
		return errors.New("-only cannot be used with the sets apart and strangers-apart, for which only totals are printed")
	}
	tasks, err := load(set)
	if err != nil {
		return err
	}
	suite, err := evaluation.NewSuite(time.Now)
	if err != nil {
		return err
	}
	defer suite.Close()
	engine, err := engines(suite, model, binary)
	if err != nil {
		return err
	}
	var results []evaluation.Result
	for _, t := range tasks {
		e, ok := engine(t)
		if !ok || !chosen.MatchString(t.Name) && !chosen.MatchString(t.Request) {
			continue
		}
		r, err := suite.Run(ctx, t, e)
		if err != nil {
			return err
		}
		if r.Err != nil && r.Used.Steps == 0 {
			return fmt.Errorf("run %s: the model does not respond: %w", t.Name, r.Err)
		}
		results = append(results, r)
		if verbose && !apart && (len(r.Failed) > 0 || r.Err != nil) {
			fmt.Fprintf(os.Stderr, "%s (line %d): %s: %v %v\n", t.Name, t.Line, r.Grade, r.Failed, r.Err)
		}
	}
	return evaluation.Table(os.Stdout, results, apart)
}

func load(set string) ([]evaluation.Task, error) {
	if set == "tasks" {
		return evaluation.Tasks()
	}
	return evaluation.Phrasings(set)
}

// engines returns the engine for each task; the scripted model supports only tasks with a script.
func engines(suite *evaluation.Suite, model, binary string) (func(evaluation.Task) (agent.Engine, bool), error) {
	if model == "scripted" {
		scripts, err := evaluation.Scripts()
		return func(t evaluation.Task) (agent.Engine, bool) {
			s, ok := scripts[t.Name]
			return agent.Engine{Model: s}, ok
		}, err
	}
	env := config.NewEnv(os.Environ())
	settings, err := env.Agent(model)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	exe, err := filepath.Abs(binary)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", binary, err)
	}
	e, err := daemon.NewEngines(settings, env, exe, llm.Retry{Now: time.Now}).Find(model)
	if err != nil {
		return nil, err
	}
	suite.Secrets = []string{settings.AgentAnthropicKey, settings.AgentOpenAIKey}
	suite.Scratch = func() (string, func() error, error) {
		dir, err := os.MkdirTemp("", "lectern-evaluation-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	return func(evaluation.Task) (agent.Engine, bool) { return e, true }, nil
}
