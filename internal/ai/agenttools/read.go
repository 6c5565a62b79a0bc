package agenttools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

const (
	maxListed = 1000     // files per result
	maxRead   = 48 << 10 // bytes per result
	maxDiff   = 96 << 10 // bytes per result
)

func listTool() tool {
	return tool{Tool: Tool{Name: "list",
		Description: "Lists the files of the docs folder, with their sizes in bytes. Start here.",
		Input: schema(nil, map[string]property{"folder": {"string",
			"Folder inside the docs folder; omit for all."}})}, run: (*Toolset).list}
}

func (d *Toolset) list(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Folder string `json:"folder"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	root := path.Clean("/" + in.Folder)[1:]
	if root == "" {
		root = "."
	}
	var b strings.Builder
	n, left := 0, 0
	err := fs.WalkDir(d.Tree, root, func(p string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if e.IsDir() && p != "." && hidden(e.Name()) {
			return fs.SkipDir
		}
		if e.IsDir() || hidden(e.Name()) || !e.Type().IsRegular() {
			return nil
		}
		if n++; n > maxListed {
			left++
			return nil
		}
		info, err := e.Info()
		if err == nil {
			fmt.Fprintf(&b, "%s %d\n", p, info.Size())
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return "", noSuch(in.Folder, "folder")
	}
	if err != nil {
		return "", fmt.Errorf("list files: %w", err)
	}
	if left > 0 {
		fmt.Fprintf(&b, "… and %d more: list one folder at a time.\n", left)
	}
	return guard.Untrusted("file names", guard.Visible(b.String())), nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

func readTool() tool {
	return tool{Tool: Tool{Name: "read",
		Description: "Reads a file in the docs folder. Long files are returned in parts: set the first line.",
		Input: schema([]string{"path"}, map[string]property{"path": {"string", "Path as shown by list."},
			"line": {"integer", "First line, from 1."}})}, run: (*Toolset).read}
}

func (d *Toolset) read(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Path string `json:"path" required:"true"`
		Line int    `json:"line"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	data, err := d.file(in.Path)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
		return fmt.Sprintf("%s is not a text file; it has %d bytes.", in.Path, len(data)), nil
	}
	// the whole file, since a comment may extend beyond the lines that are shown
	lines := strings.SplitAfter(guard.Clean(string(data)), "\n")
	text, more, err := linesFrom(in.Path, lines, in.Line)
	if err != nil {
		return "", err
	}
	return guard.Untrusted(in.Path, text) + more, nil
}

// linesFrom returns as many lines as fit into a result, and a sentence that says where to continue if there are
// more.
func linesFrom(name string, lines []string, first int) (text, more string, err error) {
	first = max(first, 1)
	if first > len(lines) {
		return "", "", refuse("%s has only %d lines.", name, len(lines))
	}
	end, size := first-1, 0
	for end < len(lines) && (size == 0 || size+len(lines[end]) <= maxRead) {
		size += len(lines[end])
		end++
	}
	text = strings.Join(lines[first-1:end], "")
	if len(text) > 2*maxRead {
		text = strings.ToValidUTF8(text[:2*maxRead], "")
	}
	if end < len(lines) {
		more = fmt.Sprintf("\nThese are lines %d to %d of %d; continue with line %d.", first, end, len(lines), end+1)
	}
	return text, more, nil
}

// file reads a file of the draft by a name that a model gave.
func (d *Toolset) file(name string) ([]byte, error) {
	name = plainPath(name)
	info, err := d.Tree.Stat(name)
	switch {
	case err != nil:
		return nil, d.missing(name)
	case info.IsDir():
		return nil, refuse("%s is a folder; use list to see its files.", name)
	case !info.Mode().IsRegular():
		return nil, refuse("%s is not a file.", name)
	}
	data, err := d.Tree.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return data, nil
}

// plainPath normalizes a path to the form that list shows: models sometimes add a leading ./.
func plainPath(name string) string { return strings.TrimPrefix(name, "./") }

// missing returns the error for a missing file, with a similar name if there is one.
func (d *Toolset) missing(name string) error {
	entries, err := fs.ReadDir(d.Tree, path.Dir(name))
	if err != nil {
		return noSuch(name, "file")
	}
	guess := didyoumean.Word(path.Base(name), func(yield func(string) bool) {
		for _, e := range entries {
			if !yield(e.Name()) {
				return
			}
		}
	})
	if guess != "" {
		return refuse("File not found: %q. Did you mean %s?", name, path.Join(path.Dir(name), guess))
	}
	return noSuch(name, "file")
}

func diffTool() tool {
	return tool{Tool: Tool{Name: "diff", Description: "Shows what has been changed so far, as a patch.",
		Input: schema(nil, map[string]property{})}, run: (*Toolset).diff}
}

func (d *Toolset) diff(_ context.Context, raw json.RawMessage) (string, error) {
	if err := decode(raw, &struct{}{}); err != nil {
		return "", err
	}
	changes, err := d.Tree.Changes()
	if err != nil {
		return "", err
	}
	if len(changes) == 0 {
		return "Nothing has been changed.", nil
	}
	text := draft.Patch(changes)
	if len(text) > maxDiff {
		text = strings.ToValidUTF8(text[:maxDiff], "") + "\n… the rest is omitted\n"
	}
	return guard.Untrusted("patch", guard.Visible(text)), nil
}

// decode parses a tool's input strictly. Models sometimes leave out the input of a tool without fields.
func decode(raw json.RawMessage, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	return jsonbody.Decode(raw, into)
}

func refuse(format string, args ...any) error {
	return fault.Newf(fault.Invalid, "refused_call", format, args...)
}

func noSuch(name, what string) error {
	return refuse("There is no %s %q in the docs folder.", what, name)
}
