package agentjob

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Submitted is the model name of a job whose changes were made and submitted by another program. No agent of this
// server works on it. Another edit starts its next round.
const Submitted = "submitted"

// Limits of an edit.
const (
	MaxEditTitle   = 120   // characters
	MaxEditReason  = 8_000 // characters
	MaxEditPath    = 1000  // characters
	MaxEditChanges = 200
	MaxEdits       = 50 // per job, because the job's record is always read completely
)

// Edit is a set of changes that a program submits.
type Edit struct {
	Title   string
	Reason  string
	Changes []EditChange
}

// EditChange changes one file: it sets new content, replaces one passage with another, or deletes the file.
type EditChange struct {
	Path   string
	Text   *string // the complete new text
	Old    *string // the text to replace, which must occur exactly once
	New    *string
	Delete bool
}

// Prompt returns the edit's title and reason as the prompt of its job.
func (e Edit) Prompt() string {
	return strings.TrimSpace(e.Title) + "\n\n" + strings.TrimSpace(e.Reason)
}

// Check refuses an incomplete edit. Whether the edit may change these files is checked when it is applied.
func (e Edit) Check() error {
	invalid := func(field, format string, args ...any) error {
		return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
	}
	if strings.TrimSpace(e.Title) == "" || strings.ContainsAny(e.Title, "\r\n") {
		return invalid("title", "title must be one line of text.")
	}
	if n := utf8.RuneCountInString(e.Title); n > MaxEditTitle {
		return invalid("title", "title has %d characters; the limit is %d.", n, MaxEditTitle)
	}
	if strings.TrimSpace(e.Reason) == "" {
		return invalid("reason", "reason is empty: say why the change is needed.")
	}
	if n := utf8.RuneCountInString(e.Reason); n > MaxEditReason {
		return invalid("reason", "reason has %d characters; the limit is %d.", n, MaxEditReason)
	}
	if _, err := CleanPrompt(e.Prompt()); err != nil {
		return invalid("reason", "title and reason must be text, without NUL characters.")
	}
	if n := len(e.Changes); n == 0 || n > MaxEditChanges {
		return invalid("changes", "changes has %d entries; it must have 1 to %d.", n, MaxEditChanges)
	}
	for i, c := range e.Changes {
		if err := c.check(); err != "" {
			return invalid("changes", "changes[%d]: %s", i, err)
		}
	}
	return nil
}

func (c EditChange) check() string {
	ways := 0
	for _, is := range []bool{c.Text != nil, c.Old != nil || c.New != nil, c.Delete} {
		if is {
			ways++
		}
	}
	switch {
	case c.Path == "":
		return "path is missing."
	case utf8.RuneCountInString(c.Path) > MaxEditPath:
		return fmt.Sprintf("path is longer than %d characters.", MaxEditPath)
	case ways != 1:
		return "It needs exactly one of text, old with new, and delete."
	case (c.Old == nil) != (c.New == nil) || c.Old != nil && *c.Old == "":
		return "old and new belong together, and old must not be empty."
	}
	for _, text := range []*string{&c.Path, c.Text, c.Old, c.New} {
		if text != nil && (!utf8.ValidString(*text) || strings.ContainsRune(*text, 0)) {
			return "It has text that is not valid UTF-8, or a NUL character."
		}
	}
	return ""
}

// Calls returns the edit as calls of an agent's tools, followed by the call that ends the work.
func (e Edit) Calls() ([]Call, error) {
	var out []Call
	add := func(name string, input map[string]string) error {
		raw, err := json.Marshal(input)
		if err != nil {
			return fmt.Errorf("encode change: %w", err)
		}
		out = append(out, Call{ID: fmt.Sprintf("%s-%d", name, len(out)+1), Name: name, Input: raw})
		return nil
	}
	for _, c := range e.Changes {
		var err error
		switch {
		case c.Delete:
			err = add("delete", map[string]string{"path": c.Path})
		case c.Text != nil:
			err = add("write", map[string]string{"path": c.Path, "text": *c.Text})
		default:
			err = add("edit", map[string]string{"path": c.Path, "old": *c.Old, "new": *c.New})
		}
		if err != nil {
			return nil, err
		}
	}
	return out, add("finish", map[string]string{"title": strings.TrimSpace(e.Title), "summary": strings.TrimSpace(e.Reason)})
}
