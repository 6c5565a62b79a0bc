package agent

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Local is an agent that works on a folder, without a server: it does not store, push or propose anything.
type Local struct {
	Folder      fs.FS // docs folder; read-only
	Engine      Engine
	Build       agenttools.Build
	ToolOptions func(*agenttools.Options) // changes the toolset's options; may be nil
	Rules       guard.Rules
	Secrets     []string
	Limits      agentjob.Limits
	Scratch     func() (dir string, remove func() error, err error) // for a program
	// receives the model's text as it streams; may be nil
	Heard func(piece string)
	Did   func(agentjob.Entry) // receives each entry; may be nil
	Now   func() time.Time
}

// Made is the result of a run.
type Made struct {
	Title, Summary string
	Changes        []draft.Change // of all rounds
	Verdict        agenttools.Verdict
	Warnings       []guard.Finding
	Outcome        agentjob.Outcome
	Unsupported    []summarycheck.Finding // statements of the summary that the changes do not confirm
	Different      diag.List              // how translations differ from their sources
	Receipts       []project.Receipt      // sources that the last round cited, checked
}

// Run carries out the prompt. A fault states the reason for a failure.
func (l Local) Run(ctx context.Context, prompt string) (Made, error) {
	made, _, err := l.Begin().Say(ctx, prompt)
	return made, err
}

// Talk is a conversation with a local agent at some point. Say returns a new Talk and does not modify it, so that
// several answers can be tried from the same point.
type Talk struct {
	local   Local
	folder  fs.FS // including the changes of earlier rounds
	entries []agentjob.Entry
	round   int
	changes []draft.Change // of all earlier rounds
}

// Begin starts a conversation.
func (l Local) Begin() Talk {
	l.Folder = withoutGit{l.Folder}
	return Talk{local: l, folder: l.Folder}
}

// Say sends a message and waits until the agent has handled it: each message is a round, just like in a job on a
// server. Made contains the changes of all rounds. A fault states the reason for a failure; the returned Talk is then
// unchanged.
func (t Talk) Say(ctx context.Context, message string) (Made, Talk, error) {
	limits := t.local.Limits.OrDefault()
	limited, cancel := context.WithTimeoutCause(ctx, limits.Time, errTime)
	defer cancel()
	made, next, err := t.say(limited, message, limits)
	if err != nil {
		if errors.Is(context.Cause(limited), errTime) {
			err = outOfTime(limits.Time)
		}
		return Made{}, t, err
	}
	return made, next, nil
}

func (t Talk) say(ctx context.Context, message string, limits agentjob.Limits) (Made, Talk, error) {
	l, tree := t.local, draft.New(t.folder)
	opt := agenttools.Options{Tree: tree, Base: t.folder, Build: l.Build, MaxFiles: limits.Files,
		MaxBytes: limits.Bytes, Refuse: l.Rules.Refuse}
	if l.ToolOptions != nil {
		l.ToolOptions(&opt)
	}
	record := &inMemory{entries: slices.Clone(t.entries), round: t.round + 1, now: l.Now, did: l.Did}
	if err := record.Add(ctx, agentjob.Entry{Kind: agentjob.Prompt, Text: message}); err != nil {
		return Made{}, t, err
	}
	c := &conversation{record: record, toolset: agenttools.New(opt), engine: l.Engine, limits: limits,
		scrub: newScrubber(l.Secrets), rules: l.Rules, opening: l.opening(), round: record.round,
		folder: l.Scratch, heard: l.Heard, reached: func(string) {}, now: l.Now, begun: l.Now()}
	for {
		if err := c.run(ctx); err != nil {
			return Made{}, t, err
		}
		o, again, err := c.inspect(ctx)
		if err != nil {
			return Made{}, t, err
		}
		if again {
			continue
		}
		next := Talk{local: l, folder: tree, entries: record.entries, round: record.round, changes: together(t.changes, o.changes)}
		return Made{Title: o.title, Summary: o.summary, Changes: next.changes, Verdict: o.verdict,
			Warnings: o.warnings, Outcome: o.came, Unsupported: o.unsupported, Different: o.different,
			Receipts: o.receipts}, next, nil
	}
}

// together combines earlier and later changes into one list, ordered by path.
func together(earlier, later []draft.Change) []draft.Change {
	out := slices.Clone(earlier)
	for _, c := range later {
		i := slices.IndexFunc(out, func(o draft.Change) bool { return o.Path == c.Path })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].After = c.After
	}
	out = slices.DeleteFunc(out, func(c draft.Change) bool {
		return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
	})
	slices.SortFunc(out, func(a, b draft.Change) int { return strings.Compare(a.Path, b.Path) })
	return out
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

// inMemory is a record that is lost when the process exits.
type inMemory struct {
	entries []agentjob.Entry
	round   int
	now     func() time.Time
	did     func(agentjob.Entry)
}

func (m *inMemory) List(_ context.Context, after int64) ([]agentjob.Entry, error) {
	return m.entries[after:], nil
}

func (m *inMemory) Add(_ context.Context, entries ...agentjob.Entry) error {
	for _, e := range entries {
		e.Sequence, e.Round, e.At = int64(len(m.entries)+1), m.round, m.now()
		m.entries = append(m.entries, e)
		if m.did != nil {
			m.did(e)
		}
	}
	return nil
}
