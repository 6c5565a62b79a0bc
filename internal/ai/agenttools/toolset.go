package agenttools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Options configures a Toolset.
type Options struct {
	Tree  *draft.Tree // the draft; the tools change it
	Base  fs.FS       // the same folder without changes: its problems are not attributed to the agent
	Build Build
	// provides an empty folder for a built site to search; nil = search finds literal text only
	Keep     func() (output.Sink, fs.FS, error)
	MaxFiles int                             // changed files; 0 = no limit
	MaxBytes int64                           // of all changed files together; 0 = no limit
	Refuse   func(draft.Change) (why string) // decides by name alone; "" = may be changed; nil = all may be changed
	Shell    Shell                           // runs commands; nil = the tool is not available
	Today    time.Time                       // time of the calls: repeated calls keep their date
	Samples  Samples                         // nil = code samples are not run
	Products Products                        // repositories of the documented product; nil = their tools are not available
}

// Build builds the site of a folder. The caller chooses caches and limits; search reports whether the output needs
// a search index.
type Build func(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error)

// Samples runs the code samples of pages that differ from base, isolated so that they can do no harm, and returns
// the findings and how many ran. An error is for the caller only: a sample that fails is a finding.
// ErrSamplesNotRun does not stop an agent.
type Samples func(ctx context.Context, src, base fs.FS) (found diag.List, ran int, err error)

// ErrSamplesNotRun is returned by Samples when code samples cannot be run on this machine.
var ErrSamplesNotRun = errors.New("code samples cannot be run")

// Shell runs a command on a copy of the folder, isolated so that it can do no harm, and returns its output and the
// files it changed.
type Shell func(ctx context.Context, command string, tree *draft.Tree) (output string, changes []draft.Change,
	err error)

// Toolset runs tools. It is not safe for concurrent use.
type Toolset struct {
	Options
	end     ending
	base    problems   // findings of the original folder
	judged  bool       // base is known
	library *builtSite // the site as of the first search; nil before
	effects []draft.Change
	cited   []project.Receipt
	marks   map[string]bool // marks that calls of translate added to pages
}

// ending is how the agent ended its work.
type ending struct {
	done           bool
	title, summary string
	outcome        agentjob.Outcome // "" = not given
}

// New returns a Toolset.
func New(o Options) *Toolset { return &Toolset{Options: o} }

// Tool describes a tool to a model.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage // JSON schema
	Changes     bool            // it may change the draft or end the work, so a replay must run it again
}

// tool is a Tool that can be run.
type tool struct {
	Tool
	run func(*Toolset, context.Context, json.RawMessage) (string, error)
}

// Tools lists the available tools in a fixed order.
func (d *Toolset) Tools() []Tool {
	var out []Tool
	for _, t := range d.tools() {
		out = append(out, t.Tool)
	}
	return out
}

func (d *Toolset) tools() []tool {
	list := []tool{listTool(), searchTool(), readTool(), editTool(), writeTool(), moveTool(), deleteTool(), diffTool(),
		checkTool(), maintainTool(), translationStatusTool(), translateTool(), planTool(), finishTool()}
	if d.Products != nil {
		list = append(list, searchProductTool(), readProductTool(), citeTool())
	}
	if d.Shell != nil {
		list = append(list, shellTool())
	}
	return list
}

// Do runs a call. A mistake by the model is returned as a failed result, so that the model can correct it; an error is
// for the caller only.
func (d *Toolset) Do(ctx context.Context, name string, input json.RawMessage) (text string, failed bool, err error) {
	list := d.tools()
	i := slices.IndexFunc(list, func(t tool) bool { return t.Name == name })
	if i < 0 {
		var names []string
		for _, t := range list {
			names = append(names, t.Name)
		}
		return fmt.Sprintf("Unknown tool %.60q. The tools are: %s.", name, strings.Join(names, ", ")), true, nil
	}
	text, err = list[i].run(d, ctx, input)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
		return f.Sentence(), true, nil
	}
	return text, false, err
}

// Repeat runs a recorded call again, if that is necessary to restore the draft. A citation that can no longer be
// checked, for example because the product repository is gone, is dropped: the draft does not depend on it.
func (d *Toolset) Repeat(ctx context.Context, name string, input json.RawMessage) error {
	if !slices.ContainsFunc(d.tools(), func(t tool) bool { return t.Name == name && t.Changes }) {
		return nil
	}
	text, failed, err := d.Do(ctx, name, input)
	if err == nil && failed && name != citeName {
		err = fmt.Errorf("repeat call of %s: %s", name, text)
	}
	return err
}

// Finished reports whether the agent has finished, and returns its title and summary.
func (d *Toolset) Finished() (title, summary string, ok bool) {
	return d.end.title, d.end.summary, d.end.done
}

// Outcome returns the outcome that the agent reported when it finished, or "" if there is none.
func (d *Toolset) Outcome() agentjob.Outcome { return d.end.outcome }

// Reopen undoes finish, because there is another message or a check failed.
func (d *Toolset) Reopen() { d.end = ending{} }

// schema returns the JSON schema of a tool's input: an object with exactly these properties.
func schema(required []string, properties map[string]property) json.RawMessage {
	if required == nil {
		required = []string{}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false})
	if err != nil {
		panic("agenttools: encode schema: " + err.Error()) // strings can always be encoded
	}
	return raw
}

// property is one field of a tool's input.
type property struct {
	Type        string `json:"type"`
	Description string `json:"description"`
}
