package agenttools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

func editTool() tool {
	return tool{Tool: Tool{Name: "edit", Changes: true,
		Description: "Replaces text in a file. The old text must occur in the file exactly once, " +
			"exactly as given: include enough of the surrounding text. Prefer this to write.",
		Input: schema([]string{"path", "old", "new"}, map[string]property{
			"path": {"string", "Path as shown by list."},
			"old":  {"string", "Text to replace, exactly as in the file, including line breaks and spaces."},
			"new":  {"string", "Replacement text."}, "all": {"boolean", "Replace every occurrence."}})},
		run: (*Toolset).edit}
}

func (d *Toolset) edit(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Path string `json:"path" required:"true"`
		Old  string `json:"old" required:"true"`
		New  string `json:"new" required:"true"`
		All  bool   `json:"all"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	in.Path = plainPath(in.Path)
	data, err := d.file(in.Path)
	if err != nil {
		return "", err
	}
	old, replacement := lineEnds(data, in.Old), lineEnds(data, in.New)
	n := strings.Count(string(data), old)
	switch {
	case in.Old == "":
		return "", refuse("old is empty. Use write to create a new file.")
	case n == 0:
		return "",
			refuse(
				"The old text does not occur in %s. Read the file again and copy the text exactly; "+
					"read does not show hidden characters and comments.", in.Path)
	case n > 1 && !in.All:
		return "",
			refuse("The old text occurs %d times in %s, at lines %s. Include more of the surrounding text, or set all.",
				n, in.Path, linesOf(data, old))
	}
	// Check before replacing: a short text in a long page could need more memory than the machine has.
	if size, most := int64(len(data))+int64(n)*int64(len(replacement)-len(old)), d.most(); size > most {
		return "", refuse("%s would have %d bytes; the limit is %d.", in.Path, size, most)
	}
	if err := d.put(in.Path, []byte(strings.ReplaceAll(string(data), old, replacement))); err != nil {
		return "", err
	}
	return fmt.Sprintf("Replacements in %s: %d.", in.Path, n), nil
}

// most returns the maximum size of a file, in bytes.
func (d *Toolset) most() int64 {
	if d.MaxBytes > 0 {
		return d.MaxBytes
	}
	return maxWhole
}

const maxWhole = 64 << 20 // maximum bytes of a file if there is no other limit

// lineEnds converts text to CRLF for a file that has only CRLF line ends.
func lineEnds(file []byte, text string) string {
	if n := bytes.Count(file, []byte("\r\n")); n > 0 && n == bytes.Count(file, []byte("\n")) &&
		!strings.Contains(text, "\r") {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// linesOf lists the numbers of the lines on which a text occurs, at most ten.
func linesOf(data []byte, text string) string {
	var out []string
	for at := 0; len(out) < 10; {
		i := strings.Index(string(data[at:]), text)
		if i < 0 {
			break
		}
		line, _ := diag.Locate(data, at+i)
		out = append(out, fmt.Sprint(line))
		at += i + len(text)
	}
	return strings.Join(out, ", ")
}

func writeTool() tool {
	return tool{Tool: Tool{Name: "write", Changes: true,
		Description: "Writes a whole file; an existing file is replaced. Pages need front matter with a title, " +
			"and a place in the navigation of docs.json.",
		Input: schema([]string{"path", "text"}, map[string]property{"path": {"string",
			"Path relative to the docs folder, such as guides/start.mdx."}, "text": {"string", "The whole content."},
			"encoding": {"string", "Omit for text; base64 for anything else."}})}, run: (*Toolset).write}
}

func (d *Toolset) write(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Path     string `json:"path" required:"true"`
		Text     string `json:"text" required:"true"`
		Encoding string `json:"encoding"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	data := []byte(in.Text)
	if in.Encoding != "" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(in.Text); in.Encoding != "base64" || err != nil {
			return "", refuse("encoding must be base64 or omitted, and text must match it.")
		}
	}
	in.Path = plainPath(in.Path)
	if err := d.put(in.Path, data); err != nil {
		return "", err
	}
	return fmt.Sprintf("Wrote %s, %d bytes.", in.Path, len(data)), nil
}

func deleteTool() tool {
	return tool{Tool: Tool{Name: "delete", Changes: true,
		Description: "Removes a file. You must also fix links to it and its entry in the navigation.",
		Input:       schema([]string{"path"}, map[string]property{"path": {"string", "Path as shown by list."}})},
		run: (*Toolset).remove}
}

func (d *Toolset) remove(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Path string `json:"path" required:"true"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	in.Path = plainPath(in.Path)
	if _, err := d.file(in.Path); err != nil {
		return "", err
	}
	if err := d.change([]draft.Change{{Path: in.Path}}); err != nil {
		return "", err
	}
	return "Removed " + in.Path + ".", nil
}

func (d *Toolset) put(name string, data []byte) error {
	return d.change([]draft.Change{{Path: name, After: data}})
}

// change makes all changes in a list, or none if one of them is refused.
func (d *Toolset) change(list []draft.Change) error {
	for _, c := range list {
		if d.Refuse == nil {
			break
		}
		before, err := fs.ReadFile(d.Base, c.Path)
		if err != nil {
			before = nil // the file is new, or its name is invalid and writing it will be refused
		}
		if why := d.Refuse(draft.Change{Path: c.Path, Before: before}); why != "" {
			return refuse("%s may not be changed: %s", c.Path, why)
		}
	}
	undo := make([]draft.Change, 0, len(list))
	back := func() error {
		for i := len(undo) - 1; i >= 0; i-- {
			if err := d.Tree.Apply(undo[i : i+1]); err != nil {
				return fmt.Errorf("undo change: %w", err)
			}
		}
		return nil
	}
	for _, c := range list {
		was, err := d.Tree.ReadFile(c.Path)
		if err != nil {
			was = nil
		}
		if err := d.Tree.Apply([]draft.Change{c}); err != nil {
			var bad *fs.PathError
			if !errors.As(err, &bad) {
				return errors.Join(err, back())
			}
			return errors.Join(refuse("%q cannot be written: %v.", c.Path, bad.Err), back())
		}
		if was == nil && c.After == nil {
			continue
		}
		undo = append(undo, draft.Change{Path: c.Path, After: was})
	}
	if err := d.within(); err != nil {
		return errors.Join(err, back())
	}
	return nil
}

// within refuses changes that exceed the limits.
func (d *Toolset) within() error {
	all, err := d.Tree.Changes()
	if err != nil {
		return err
	}
	if d.MaxFiles > 0 && len(all) > d.MaxFiles {
		return refuse(
			"This would change %d files; the limit for one job is %d. Do less, and list the remaining work in finish.",
			len(all), d.MaxFiles)
	}
	if size := draft.Size(all); d.MaxBytes > 0 && size > d.MaxBytes {
		return refuse(
			"The changed files would have %d bytes; the limit for one job is %d. Do less, "+
				"and list the remaining work in finish.", size, d.MaxBytes)
	}
	return nil
}
