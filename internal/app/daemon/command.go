package daemon

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/command"
	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

func newBox(exe string) *sandbox.Box {
	return sandbox.New(sandbox.Options{Exe: exe, Args: []string{sandbox.Command}})
}

// program returns the command that runs a model.
func (m *Engines) program() (llm.Program, error) {
	s := m.config
	opt := command.Options{Words: s.AgentCommand, Env: m.commandEnv(), Readable: s.AgentCommandFolders,
		Limits: sandbox.Limits{Wall: s.AgentMaxTime}, Runner: newBox(m.exe)}
	if s.AgentCommandSandbox == "off" {
		opt.Runner = sandbox.Bare{}
	} else if s.AgentCommandNetwork == "on" {
		opt.Network = m.openNetwork
	}
	return command.New(opt)
}

// openNetwork gives one run of the program network access to the hosts that other requests of this server may reach, and
// no others.
func (m *Engines) openNetwork(ctx context.Context) (command.Way, error) {
	guard, err := newGuard(m.config)
	if err != nil {
		return command.Way{}, err
	}
	proxy, err := guard.Proxy(ctx)
	if err != nil {
		return command.Way{}, err
	}
	session := proxy.Open()
	address, err := url.Parse(session.URL())
	if err != nil {
		return command.Way{}, errors.Join(err, proxy.Close())
	}
	return command.Way{User: address.User,
		Serve: func(l net.Listener) { _ = proxy.Serve(l) }, // ends with the sandbox
		Close: func() { session.Close(); _ = proxy.Close() }}, nil
}

// shellLimits returns the limits for one command written by a model.
func shellLimits() sandbox.Limits {
	return sandbox.Limits{Wall: 2 * time.Minute, CPU: time.Minute, Memory: 1 << 30, Processes: 128, Disk: 256 << 20,
		Scratch: 64 << 20}
}

// shell returns the tool that runs commands, or nil unless the operator enabled it.
func (c *core) shell() agenttools.Shell {
	if c.Config.AgentShell != "on" {
		return nil
	}
	box := newBox(c.SelfExe)
	return agent.NewShell(func() (string, func() error, error) { return c.scratch.Folder("shell") },
		func(ctx context.Context, dir, line string) (string, error) {
			return command.Shell(ctx, box, dir, line, shellLimits())
		})
}

// agentSamplesTime is the time limit for all samples of one check by an agent, which waits for them.
const agentSamplesTime = 2 * time.Minute

// agentSamples returns the function that runs code samples for agents, or nil unless the operator enabled a language.
// Samples that cannot be run at all do not stop an agent; the reason is logged.
func (c *core) agentSamples() agenttools.Samples {
	opt := c.samples()
	if len(opt.Languages) == 0 {
		return nil
	}
	opt.Total = agentSamplesTime
	opt.Folder = func() (string, func() error, error) { return c.scratch.Folder("sample") }
	return func(ctx context.Context, src, base fs.FS) (diag.List, int, error) {
		opt := opt
		opt.Base = base
		result, err := codesample.Check(ctx, src, opt)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if err != nil {
			c.Logger.WarnContext(ctx, "failed to run the code samples in an agent's changes", "error", err)
			return nil, 0, agenttools.ErrSamplesNotRun
		}
		return result.Findings, result.Ran, nil
	}
}

// samples returns the options for running code samples of pull requests.
func (c *core) samples() codesample.Options {
	languages, err := codesample.ParseLanguages(c.Config.SamplesLanguages)
	if err != nil {
		// does not happen, because the settings were validated at startup
		c.Logger.Error("invalid code sample languages, samples will not run", "error", err)
	}
	return codesample.Options{Languages: languages, Runner: newBox(c.SelfExe), Readable: c.Config.SamplesFolders,
		Time: c.Config.SamplesMaxTime}
}
