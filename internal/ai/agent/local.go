package agent

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Local is an agent that works on a folder, without a server: nothing is recorded, pushed or proposed.
type Local struct {
	Folder      fs.FS // docs folder; it is not changed
	Engine      Engine
	Build       agenttools.Build
	ToolOptions func(*agenttools.Options) // changes the toolset's options; may be nil
	Rules       guard.Rules
	Secrets     []string
	Limits      agentjob.Limits
	Scratch     func() (dir string, remove func() error, err error) // for a program
	// receives the model's text as it streams; may be nil
	Heard func(piece string)
	Did   func(agentjob.Entry) // receives every entry; may be nil
	Now   func() time.Time
}

// Made is the result of a run.
type Made struct {
	Title, Summary string
	Changes        []draft.Change
	Verdict        agenttools.Verdict
	Warnings       []guard.Finding
	Outcome        agentjob.Outcome
	Unsupported    []summarycheck.Finding // statements of the summary that the changes do not show
	Different      diag.List              // how translations differ from their sources
}

// Run carries out the prompt. A fault is the reason why it failed.
func (l Local) Run(ctx context.Context, prompt string) (Made, error) {
	limits := l.Limits.OrDefault()
	limited, cancel := context.WithTimeoutCause(ctx, limits.Time, errTime)
	defer cancel()
	made, err := l.run(limited, prompt, limits)
	if err != nil && errors.Is(context.Cause(limited), errTime) {
		return Made{}, outOfTime(limits.Time)
	}
	return made, err
}

func (l Local) run(ctx context.Context, prompt string, limits agentjob.Limits) (Made, error) {
	l.Folder = withoutGit{l.Folder}
	opt := agenttools.Options{Tree: draft.New(l.Folder), Base: l.Folder, Build: l.Build, MaxFiles: limits.Files,
		MaxBytes: limits.Bytes, Refuse: l.Rules.Refuse}
	if l.ToolOptions != nil {
		l.ToolOptions(&opt)
	}
	record := &inMemory{now: l.Now, did: l.Did}
	if err := record.Add(ctx, agentjob.Entry{Kind: agentjob.Prompt, Text: prompt}); err != nil {
		return Made{}, err
	}
	t := &conversation{record: record, toolset: agenttools.New(opt), engine: l.Engine, limits: limits,
		scrub: newScrubber(l.Secrets), rules: l.Rules, opening: l.opening(), round: 1,
		folder: l.Scratch, heard: l.Heard, reached: func(string) {}, now: l.Now, begun: l.Now()}
	for {
		if err := t.run(ctx); err != nil {
			return Made{}, err
		}
		o, again, err := t.inspect(ctx)
		if err != nil {
			return Made{}, err
		}
		if !again {
			return Made{Title: o.title, Summary: o.summary, Changes: o.changes, Verdict: o.verdict,
				Warnings: o.warnings, Outcome: o.came, Unsupported: o.unsupported, Different: o.different}, nil
		}
	}
}

// opening reads the folder's own rules for agents.
func (l Local) opening() string {
	for _, name := range ruleFiles {
		if text, err := safefile.Read(l.Folder, name, maxOwnRules); err == nil {
			return houseRules(name, text)
		}
	}
	return houseRules("", nil)
}

// inMemory is a record that ends with the process.
type inMemory struct {
	entries []agentjob.Entry
	now     func() time.Time
	did     func(agentjob.Entry)
}

func (m *inMemory) List(_ context.Context, after int64) ([]agentjob.Entry, error) {
	return m.entries[after:], nil
}

func (m *inMemory) Add(_ context.Context, entries ...agentjob.Entry) error {
	for _, e := range entries {
		e.Sequence, e.Round, e.At = int64(len(m.entries)+1), 1, m.now()
		m.entries = append(m.entries, e)
		if m.did != nil {
			m.did(e)
		}
	}
	return nil
}
