package openapi

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

const (
	maxDepth  = 200       // nesting of lists and objects
	maxFile   = 16 << 20  // bytes of one description
	maxValues = 2_000_000 // values of one description
)

// Loader reads descriptions. If Fetch is nil, remote descriptions are not read. Kept may also be nil.
type Loader struct {
	FS    fs.FS
	Fetch Fetch
	Kept  Kept
	// Known returns a cached description, or calls load if there is none. nil means that every description is read.
	Known func(name string, load func() (*Spec, diag.List)) (*Spec, diag.List)
}

// Load reads one description and every file it refers to. If the description is not usable, the Spec is nil and the
// list contains the reason.
func (l *Loader) Load(ctx context.Context, name string) (*Spec, diag.List) {
	if l.Known != nil {
		return l.Known(name, func() (*Spec, diag.List) { return l.load(ctx, name) })
	}
	return l.load(ctx, name)
}

func (l *Loader) load(ctx context.Context, name string) (*Spec, diag.List) {
	var list diag.List
	if Remote(name) && l.Fetch != nil {
		return l.loadRemote(ctx, name)
	}
	doc := l.open(name, &list)
	return l.parsed(ctx, name, doc, list)
}

// parsed returns the Spec of a document, or nil if the list contains an error.
func (l *Loader) parsed(ctx context.Context, name string, doc *jsontree.Document, list diag.List) (*Spec, diag.List) {
	if doc == nil {
		return nil, list
	}
	s := newSpec(doc, &list)
	if s == nil {
		return nil, list
	}
	s.files = map[string]*jsontree.Document{name: doc}
	c := &checker{loader: l, spec: s, list: &list, seen: map[*jsontree.Value]bool{}, reported: map[string]bool{}}
	c.value(ctx, doc.Root, 0)
	s.read(&list)
	list.Sort()
	return s, list
}

func (l *Loader) open(name string, list *diag.List) *jsontree.Document {
	if Remote(name) {
		list.Warnf(diag.Pos{File: name}, "spec-not-fetched", "The API description at %s was not fetched.",
			redacted(name))
		list.Hint("Put a copy into the docs folder, or build with network access.")
		return nil
	}
	data, err := safefile.Read(l.FS, name, maxFile)
	if err != nil {
		list.Errorf(diag.Pos{File: name}, "spec-missing", "The API description %s cannot be read.", name)
		list.Hint("Write its path relative to the docs folder, such as /openapi.json.")
		return nil
	}
	return parseDocument(name, data, list)
}

// parseDocument parses JSON or YAML. The content determines the format, not the file name.
func parseDocument(name string, data []byte, list *diag.List) *jsontree.Document {
	if len(data) > maxFile {
		list.Errorf(diag.Pos{File: name}, "spec-size", "The API description is larger than %d MB.", maxFile>>20)
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	doc, err := parse(name, data)
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		list.Errorf(bad.Pos, "spec-syntax", "%s", bad.Message)
		return nil
	}
	return doc
}

// parse returns a *jsontree.SyntaxError if data is neither JSON nor YAML.
func parse(name string, data []byte) (*jsontree.Document, error) {
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return parseYAML(name, data)
	}
	doc, err := jsontree.Parse(name, string(data), sourceLimits())
	if err != nil && path.Ext(name) != ".json" { // it may be a YAML mapping in braces
		if doc, err := parseYAML(name, data); err == nil {
			return doc, nil
		}
	}
	return doc, err
}
