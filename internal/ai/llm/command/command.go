package command

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// Runner runs a program until it exits: a *sandbox.Box, or sandbox.Bare.
type Runner interface {
	Run(ctx context.Context, p sandbox.Program) (sandbox.Result, error)
}

// Options configures the program and what it may access.
type Options struct {
	Words    []string // its name or path, then its arguments
	Env      []string // NAME=value
	Readable []string // files and folders that it may read in addition to the system's
	Limits   sandbox.Limits
	Runner   Runner

	// Network opens a proxy for one run; nil = no network. The program finds it in the usual proxy variables.
	Network func(ctx context.Context) (Way, error)
}

// Way is a proxy in this process. It is the program's only network access.
type Way struct {
	User  *url.Userinfo      // credentials that the proxy requires
	Serve func(net.Listener) // serves the proxy on a listener that the program can reach; returns when the listener is closed
	Close func()
}

// env returns the proxy variables under all usual names, because programs read different ones.
func (w Way) env() []string {
	u := (&url.URL{Scheme: "http", User: w.User, Host: sandbox.ProxyAddress}).String()
	return []string{"HTTP_PROXY=" + u, "HTTPS_PROXY=" + u, "http_proxy=" + u, "https_proxy=" + u, "ALL_PROXY=" + u,
		"NO_PROXY=localhost,127.0.0.1", "NODE_USE_ENV_PROXY=1"}
}

type program struct{ opt Options }

// New returns a program. It is safe for concurrent use.
func New(opt Options) (llm.Program, error) {
	if len(opt.Words) == 0 || opt.Words[0] == "" {
		return nil, fault.New(fault.Invalid, "missing_field", "The program has no name.").WithField("command")
	}
	for _, entry := range opt.Env {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || name == "" || credential(name) {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "The variable %s may not be passed to the program.",
				name).WithField("env").
				WithHint(
					"Programs do not get the server's settings or any Git or code host credentials; the server itself pushes.")
		}
	}
	return &program{opt: opt}, nil
}

// credential reports whether a variable is a setting of Lectern, or a credential for Git or a code host.
func credential(name string) bool {
	name = strings.ToUpper(name)
	known := []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "GIT_ASKPASS", "GIT_TOKEN", "GH_TOKEN",
		"GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN",
		"GITHUB_ENTERPRISE_TOKEN",
		"GITLAB_TOKEN", "GITLAB_PRIVATE_TOKEN", "CI_JOB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN", "BITBUCKET_TOKEN",
		"BITBUCKET_APP_PASSWORD"}
	return strings.HasPrefix(name, "LECTERN_") || strings.HasPrefix(name, "GIT_CONFIG") || slices.Contains(known, name)
}

// Work runs the program with prompt in dir and returns its standard output, or the end of it if it is long. heard
// also receives its standard error.
func (p *program) Work(ctx context.Context, dir, prompt string, heard func(line string)) (string, error) {
	e := newCapture(heard)
	out, problems := e.stream(true), e.stream(false)
	run := sandbox.Program{
		Words: p.opt.Words, Dir: dir, Env: slices.Clone(p.opt.Env), Readable: p.opt.Readable, Limits: p.opt.Limits,
		Stdin: strings.NewReader(prompt), Stdout: out, Stderr: problems,
	}
	if p.opt.Network != nil {
		way, err := p.opt.Network(ctx)
		if err != nil {
			return "", fmt.Errorf("open network proxy for program: %w", err)
		}
		defer way.Close()
		run.Proxy, run.Env = way.Serve, append(run.Env, way.env()...)
	}
	result, err := p.opt.Runner.Run(ctx, run)
	out.end()
	problems.end()
	if err != nil {
		return "", err
	}
	switch {
	case result.Exceeded != "":
		return "", fault.Newf(fault.Invalid, "program_limit", "The program was stopped: it exceeded its limit of %s.",
			result.Exceeded)
	case result.Exit != 0:
		return "", fault.Newf(fault.Invalid, "program_failed", "The program exited with code %d.", result.Exit).
			WithCause(fmt.Errorf("last output: %s", e.last()))
	}
	return strings.TrimSpace(e.output()), nil
}
