package maintain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Kind is a kind of task.
type Kind string

// The kinds of tasks.
const (
	// links, images, anchors, navigation entries and redirects whose target does not exist
	FixLinks     Kind = "fix_links"
	MovePages    Kind = "move_pages"   // pages, files and folders, and update everything that refers to them
	DeletePages  Kind = "delete_pages" // and update everything that refers to them
	Unlist       Kind = "remove_from_navigation"
	Changelog    Kind = "add_changelog_entry"
	Redirects    Kind = "add_redirects"     // from former paths of pages
	NoRedirects  Kind = "remove_redirects"  // from the addresses in Files
	RenameGroup  Kind = "rename_group"      // of the navigation, From → To
	Descriptions Kind = "add_descriptions"  // from headings or later paragraphs; with Text, that description for one page
	AltText      Kind = "add_alt_text"      // from names of images; with Text, that alt text for the image From of one page
	Format       Kind = "format"            // like lectern fmt
	Version      Kind = "bump_version"      // From → To
	Term         Kind = "rename_term"       // From → To
	Navigation   Kind = "add_to_navigation" // missing pages; with After or Before, one page next to another
)

// Kinds lists the kinds in the best order for running several: moves come first, and tasks that look at text that other
// tasks change come last.
func Kinds() []Kind {
	return []Kind{MovePages, DeletePages, NoRedirects, Redirects, Unlist, Navigation, RenameGroup, FixLinks, AltText, Descriptions, Version, Term,
		Changelog, Format}
}

// Task is a maintenance task. Fields without a JSON name are set by the caller that runs it, not by the task's
// author.
type Task struct {
	Kind  Kind     `json:"task"`
	Files []string `json:"files,omitempty"` // pages, files or folders to limit the task to; none = everything
	From  string   `json:"from,omitempty"`  // version, term or group; for alt text: the image, "" = the only one
	To    string   `json:"to,omitempty"`    // likewise; for a changelog entry: its version, "" = unreleased
	Text  string   `json:"text,omitempty"`  // changelog entry, description or alt text
	// for add_to_navigation: the page next to which the only page of Files goes; at most one of them
	After  string `json:"after,omitempty"`
	Before string `json:"before,omitempty"`
	// for move_pages; for delete_pages, where To may be ""; for add_redirects, where an empty list means to find
	// them; for fix_links, where links to From are changed to To
	Moves []Move `json:"moves,omitempty"`

	Build    Build `json:"-"` // nil = build without running the authors' code
	MaxFiles int   `json:"-"` // limit on files that differ in the draft, including earlier changes; 0 = 200
	MaxBytes int64 `json:"-"` // limit on the total size of these files; 0 = 8 MB
	// date of new changelog entries; zero = they cannot be added
	Today time.Time `json:"-"`
}

// Build builds the site of a folder; its findings say what is broken. No search index is needed. The caller chooses
// caches and limits.
type Build = func(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error)

// plainBuild builds a site from the folder alone.
func plainBuild(ctx context.Context, src fs.FS, _ bool, out output.Sink) (*build.Report, error) {
	return build.Build(ctx, src, build.Options{Links: link.Clean, Scripts: jsrun.Host{Off: true}}, out)
}

// Move maps the former path of a page to its current one.
type Move struct {
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// Limits on the content of a task.
const (
	maxInput = 64 << 10 // bytes
	maxFiles = 200      // names
	maxMoves = 200
	maxName  = 512 // bytes of a path
	maxTerm  = 200 // bytes of a version or term
	maxText  = 600 // bytes of a changelog entry
)

func invalid(field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
}

// Parse parses and checks a task. The error is a fault that names the field.
func Parse(raw json.RawMessage) (Task, error) {
	var t Task
	if len(raw) > maxInput {
		return t, invalid("task", "The task is longer than %d bytes.", maxInput)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return Task{}, invalid("task", "The task cannot be parsed: %s.", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Task{}, invalid("task", "There is data after the task.")
	}
	if err := t.check(); err != nil {
		return Task{}, err
	}
	return t, nil
}

// check rejects a task that is invalid for every folder.
func (t Task) check() error {
	if !slices.Contains(Kinds(), t.Kind) {
		var names []string
		for _, k := range Kinds() {
			names = append(names, string(k))
		}
		return invalid("task", "Unknown task %.60q.", string(t.Kind)).
			WithHint("The tasks are: " + strings.Join(names, ", ") + ".")
	}
	if len(t.Files) > maxFiles {
		return invalid("files", "There are more than %d files.", maxFiles)
	}
	for _, f := range t.Files {
		if !text(f, maxName) {
			return invalid("files", "%.60q is not a path of a file or folder.", f)
		}
	}
	if t.Text != "" && (t.Kind == Descriptions || t.Kind == AltText) || t.After+t.Before != "" {
		return t.checkGiven()
	}
	switch {
	case t.Kind == Changelog:
		return t.checkEntry()
	case t.Text != "":
		return invalid("text", "The task %s does not take text.", t.Kind)
	case t.Kind == Version || t.Kind == Term || t.Kind == RenameGroup:
		return t.checkPair()
	case t.From != "" || t.To != "":
		return invalid("from", "The task %s does not take from and to.", t.Kind)
	case len(t.Files) > 0 && (t.Kind == Redirects || t.Kind == MovePages || t.Kind == DeletePages):
		return invalid("files", "The task %s applies to the whole site and does not take files.", t.Kind)
	case len(t.Files) == 0 && (t.Kind == Unlist || t.Kind == NoRedirects):
		return invalid("files", "The task %s needs files.", t.Kind)
	case t.Kind == NoRedirects && slices.ContainsFunc(t.Files, func(s string) bool { return !isAddress(s) }):
		return invalid("files", "The task %s needs addresses such as /old.", t.Kind)
	}
	return t.checkMoves()
}

// checkGiven checks a task that contains text or a position for one page.
func (t Task) checkGiven() error {
	switch {
	case len(t.Files) != 1:
		return invalid("files", "The task %s with a text or a position needs exactly one page.", t.Kind)
	case len(t.Moves) > 0:
		return invalid("moves", "The task %s does not take moves.", t.Kind)
	case t.To != "" || t.From != "" && t.Kind != AltText:
		return invalid("from", "The task %s does not take from and to.", t.Kind)
	case t.From != "" && !text(t.From, maxName):
		return invalid("from", "from must be the name of an image.")
	case t.After+t.Before == "":
		if !text(t.Text, maxText) {
			return invalid("text", "text must be one line of at most %d bytes.", maxText)
		}
		if t.Kind == AltText && strings.ContainsAny(t.Text, "[]{}<>`\\") {
			return invalid("text", "Alt text must be plain text, without markup.")
		}
		return nil
	case t.Kind != Navigation || t.Text != "":
		return invalid("after", "Only the task %s takes after and before, and it takes no text.", Navigation)
	case t.After != "" && t.Before != "" || !text(t.After+t.Before, maxName):
		return invalid("after", "One of after and before must be the path of a page.")
	}
	return nil
}

func (t Task) checkEntry() error {
	switch {
	case len(t.Moves) > 0:
		return invalid("moves", "The task %s does not take moves.", t.Kind)
	case t.From != "":
		return invalid("from", "The task %s does not take from.", t.Kind)
	case t.To != "" && !isVersion(t.To):
		return invalid("to", "to must be a version such as 1.2.3.")
	case !text(t.Text, maxText):
		return invalid("text", "text must be one line of at most %d bytes.", maxText)
	}
	return nil
}

func (t Task) checkPair() error {
	switch {
	case len(t.Moves) > 0:
		return invalid("moves", "The task %s does not take moves.", t.Kind)
	case !text(t.From, maxTerm):
		return invalid("from", "from must be a string of at most %d bytes.", maxTerm)
	case !text(t.To, maxTerm):
		return invalid("to", "to must be a string of at most %d bytes.", maxTerm)
	case t.From == t.To:
		return invalid("to", "from and to are the same.")
	case t.Kind == Version && (!isVersion(t.From) || !isVersion(t.To)):
		return invalid("from", "from and to must be versions such as 1.2.3.")
	case t.Kind == Term && (!isTerm(t.From) || !isTerm(t.To)):
		return invalid("from", "from and to must be words.").
			WithHint("A term may contain letters, digits, spaces, and - _ . + # & ' in between.")
	}
	return nil
}

func (t Task) checkMoves() error {
	switch {
	case len(t.Moves) > 0 && !slices.Contains([]Kind{Redirects, MovePages, DeletePages, FixLinks}, t.Kind):
		return invalid("moves", "The task %s does not take moves.", t.Kind)
	case len(t.Moves) == 0 && (t.Kind == MovePages || t.Kind == DeletePages):
		return invalid("moves", "The task %s needs moves.", t.Kind)
	}
	if len(t.Moves) > maxMoves {
		return invalid("moves", "There are more than %d moves.", maxMoves)
	}
	for _, m := range t.Moves {
		if !text(m.From, maxName) || !text(m.To, maxName) && (m.To != "" || t.Kind != DeletePages) {
			return invalid("moves", "A move needs from and to: the old and the new path of a page.")
		}
	}
	return nil
}

// text reports whether s is a single line of text that is not too long.
func text(s string, most int) bool {
	return strings.TrimSpace(s) != "" && len(s) <= most && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
