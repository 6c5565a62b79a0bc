package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

type agentRunCommand struct {
	Prompt string   `required:"" help:"What the agent should do; - reads it from standard input."`
	Answer []string `sep:"none" placeholder:"TEXT" help:"Answer to a question of the agent, such as yes; may be repeated."`
	Dir    string   `default:"." help:"Docs folder: the folder with docs.json."`
	Model  string   `default:"builtin" help:"builtin, anthropic:NAME, openai:NAME or command. Keys and addresses are taken from the environment variables of the settings agent.*."`
	DryRun bool     `help:"Change nothing; print what would change."`
	Quiet  bool     `help:"Do not show the agent's messages and tool calls."`
	scriptFlag
	cacheFlags
}

// Help returns the long description.
func (agentRunCommand) Help() string {
	return `The agent works on a copy of the folder. If the site still builds and no link is broken, the changes are written to the folder and printed as a patch. It never
commits or pushes. If the agent fails, nothing is changed and the exit code is 1; it
is 6 if the agent did not understand the task or needs an answer.

    lectern agent run --prompt "fix broken links" --dir ./docs
    lectern agent run --prompt "rename Widget to Gadget" --dry-run
    lectern agent run --prompt "the faq belongs in help/" --answer yes
    LECTERN_AGENT_OPENAI_URL=http://127.0.0.1:11434/v1 lectern agent run --model openai:qwen3 --prompt - < task.txt`
}

func (c *agentRunCommand) Run(ctx context.Context, r *run) error {
	prompt, err := promptText(r, c.Prompt)
	if err == nil {
		prompt, err = agentjob.CleanPrompt(prompt)
	}
	if err != nil {
		return err
	}
	if _, _, err := config.SplitModel(c.Model); err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "%q is not builtin, command, anthropic:NAME or openai:NAME.",
			c.Model).WithField("model").WithHint("Choose a model with --model.")
	}
	settings, err := r.env.Agent(c.Model)
	if err != nil {
		return err
	}
	engine, err := daemon.NewEngines(settings, r.env, r.SelfExe, llm.Retry{Tries: fewTries, Now: r.Now}).Find(c.Model)
	if err != nil {
		return err
	}
	scripts, err := c.scripts(r)
	if err != nil {
		return err
	}
	src, closeSource, err := openSource(c.Dir, "")
	if err != nil {
		return err
	}
	defer closeSource()
	temp := &temporary{}
	defer temp.remove()
	one := agent.Local{Folder: src, Engine: engine, Build: c.build(r, scripts), Scratch: temp.folder, Now: r.Now,
		Secrets:     []string{settings.AgentAnthropicKey, settings.AgentOpenAIKey},
		Rules:       guard.Rules{Allow: settings.AgentAllowFiles, RefuseNewHosts: settings.AgentNewHosts == "refuse"},
		ToolOptions: func(o *agenttools.Options) { o.Keep = temp.keep }}
	if !c.Quiet {
		one.Did = func(e agentjob.Entry) { printEntry(r.Stderr, shown(e)) }
	}
	made, talk, err := one.Begin().Say(ctx, prompt)
	for _, answer := range c.Answer {
		if err != nil || made.Outcome != agentjob.NeedsAnswer && !rules.Proposes(made.Summary) {
			break
		}
		if answer, err = agentjob.CleanPrompt(answer); err == nil {
			made, talk, err = talk.Say(ctx, answer)
		}
	}
	if f, ok := fault.As(err); ok && f.Code == "model_busy" {
		return f.WithHint(
			"Check the address (LECTERN_AGENT_OPENAI_URL or LECTERN_AGENT_ANTHROPIC_URL) and its server; --debug shows the response.")
	}
	if err != nil {
		return err
	}
	return c.finish(r, made)
}

// fewTries is the number of retries for an unresponsive model, because a person is waiting.
const fewTries = 3

// finish writes and prints the agent's changes.
func (c *agentRunCommand) finish(r *run, made agent.Made) error {
	fmt.Fprintf(r.Stderr, "\n%s\n\n%s\n\n", harmless(made.Title), harmlessLines(made.Summary))
	printDiagnostics(r.Stderr, made.Different, "")
	for _, f := range made.Warnings {
		fmt.Fprintf(r.Stderr, "%s:%d: %s\n", harmless(f.File), f.Line, harmless(f.Text))
	}
	for _, f := range made.Unsupported {
		fmt.Fprintf(r.Stderr, "Not confirmed by the changes: %s\n", harmless(f.String()))
	}
	if len(made.Changes) == 0 {
		fmt.Fprintln(r.Stderr, "Nothing was changed.")
		if made.Outcome == agentjob.NeedsAnswer {
			return undoneError{"The agent needs an answer. Nothing was changed.", "Run the command again with --answer."}
		}
		return notDone(made.Outcome)
	}
	fmt.Fprintln(r.Stderr, made.Verdict)
	if !c.DryRun {
		root, err := os.OpenRoot(c.Dir)
		if err != nil {
			return fmt.Errorf("open docs folder: %w", err)
		}
		defer root.Close()
		if err := writeChanges(r, root, made.Changes); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprint(r.Stdout, draft.Patch(made.Changes)); err != nil {
		return fmt.Errorf("print patch: %w", err)
	}
	return nil
}

// build builds a draft's site the way lectern check does.
func (c *agentRunCommand) build(r *run, scripts jsrun.Host) agenttools.Build {
	return func(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error) {
		cache, err := c.begin(r, c.Dir)
		if err != nil {
			return nil, err
		}
		defer cache.close()
		return build.Build(ctx, src, cache.into(build.Options{Links: link.Relative, Tool: r.Version,
			Now: build.Day(r.Now()), Scripts: scripts, Offers: capability.Offers{Search: search}}), out)
	}
}

// writeChanges writes all changes, or none if one of them cannot be written. It first writes all new contents to
// temporary files.
func writeChanges(r *run, root *os.Root, list []draft.Change) (err error) {
	if err := unmoved(root, list); err != nil {
		return err
	}
	a := &applying{root: root, names: id.Source{Rand: r.Rand}}
	defer func() { err = a.done(err) }()
	staged := make([]string, len(list))
	for i, c := range list {
		if c.After == nil {
			continue
		}
		mode := fs.FileMode(0o644)
		if info, err := root.Stat(filepath.FromSlash(c.Path)); err == nil {
			mode = info.Mode().Perm()
		}
		if staged[i], err = a.stageAs(c.After, mode); err != nil {
			return err
		}
	}
	for i, c := range list {
		name := filepath.FromSlash(c.Path)
		if c.Before != nil {
			if err := a.setAside(name); err != nil {
				return err
			}
		}
		if c.After == nil {
			continue
		}
		if err := a.mkdir(path.Dir(c.Path)); err != nil {
			return err
		}
		if err := a.rename(staged[i], name); err != nil {
			return err
		}
	}
	return nil
}

// unmoved returns an error if a file changed while the agent was working.
func unmoved(root *os.Root, list []draft.Change) error {
	for _, c := range list {
		now, err := root.ReadFile(filepath.FromSlash(c.Path))
		there := !errors.Is(err, fs.ErrNotExist)
		if there && err != nil {
			return fmt.Errorf("read file: %w", err)
		}
		if there != (c.Before != nil) || !bytes.Equal(now, c.Before) {
			return fault.Newf(fault.Conflict, "folder_changed",
				"Nothing was written: %s changed while the agent was working.", c.Path).
				WithHint("Run the command again.")
		}
	}
	return nil
}

// temporary lists temporary folders to remove when the command ends.
type temporary struct{ gone []func() }

func (t *temporary) folder() (string, func() error, error) {
	dir, err := os.MkdirTemp("", "lectern-agent-")
	if err != nil {
		return "", nil, fmt.Errorf("create folder: %w", err)
	}
	t.gone = append(t.gone, func() { _ = os.RemoveAll(dir) })
	return dir, func() error { return os.RemoveAll(dir) }, nil
}

func (t *temporary) keep() (output.Sink, fs.FS, error) {
	dir, _, err := t.folder()
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open folder for the built site: %w", err)
	}
	t.gone = append(t.gone, func() { _ = root.Close() })
	return output.NewDir(root), root.FS(), nil
}

func (t *temporary) remove() {
	for i := len(t.gone) - 1; i >= 0; i-- {
		t.gone[i]()
	}
}
