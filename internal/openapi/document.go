package openapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Fetch gets a description from the network.
type Fetch func(ctx context.Context, url string) ([]byte, error)

// Loader reads descriptions. Fetch may be nil: descriptions at addresses are not read then.
type Loader struct {
	FS    fs.FS
	Fetch Fetch
}

// document is one file, read.
type document struct {
	name string // path in the docs folder, or an address
	root *Value
}

// Remote tells names that are addresses.
func Remote(name string) bool {
	return strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")
}

// Load reads one description and every file it refers to. Without a usable description the Spec is nil and the list says why.
func (l *Loader) Load(ctx context.Context, name string) (*Spec, diag.List) {
	var list diag.List
	doc := l.open(ctx, name, &list)
	if doc == nil {
		return nil, list
	}
	s := newSpec(doc, &list)
	if s == nil {
		return nil, list
	}
	s.files = map[string]*document{name: doc}
	c := &checker{loader: l, spec: s, list: &list, seen: map[*Value]bool{}, told: map[string]bool{}}
	c.value(ctx, doc.root, 0)
	s.read(&list)
	list.Sort()
	return s, list
}

func (l *Loader) open(ctx context.Context, name string, list *diag.List) *document {
	data, err := l.bytes(ctx, name)
	switch {
	case errors.Is(err, errNotFetched):
		list.Warnf(diag.Pos{File: name}, "spec-not-fetched", "The API description at %s is not fetched.", name)
		list.Hint("Put a copy into the docs folder, or build with access to the network.")
		return nil
	case Remote(name) && err != nil:
		list.Warnf(diag.Pos{File: name}, "spec-not-fetched", "The API description at %s cannot be fetched: %v.", name, err)
		return nil
	case err != nil:
		list.Errorf(diag.Pos{File: name}, "spec-missing", "The API description %s cannot be read.", name)
		list.Hint("Write its path from the docs folder, such as /openapi.json.")
		return nil
	}
	return parseDocument(name, data, list)
}

// parseDocument reads JSON or YAML, whichever it is; the file's name does not decide.
func parseDocument(name string, data []byte, list *diag.List) *document {
	if len(data) > maxFile {
		list.Errorf(diag.Pos{File: name}, "spec-size", "The API description is larger than %d MB.", maxFile>>20)
		return nil
	}
	doc := &document{name: name}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var bad diag.Diagnostic
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		doc.root, bad = parseJSON(doc, string(data))
		if doc.root == nil && path.Ext(name) != ".json" { // a YAML mapping in braces
			if v, _ := parseYAML(doc, data); v != nil {
				doc.root = v
			}
		}
	} else {
		doc.root, bad = parseYAML(doc, data)
	}
	if doc.root == nil {
		list.Errorf(diag.Pos{File: name, Line: bad.Line, Column: bad.Column}, "spec-syntax", "%s", bad.Message)
		return nil
	}
	return doc
}

var (
	errNotFetched = errors.New("not fetched")
	errNotRegular = errors.New("not a regular file")
)

func (l *Loader) bytes(ctx context.Context, name string) ([]byte, error) {
	if Remote(name) {
		if l.Fetch == nil {
			return nil, errNotFetched
		}
		return l.Fetch(ctx, name)
	}
	return readFile(l.FS, name)
}

// readFile reads a regular file of at most maxFile+1 bytes, and no symbolic link: one could lead outside.
func readFile(src fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := fs.Lstat(src, dir); err != nil || !info.IsDir() {
			return nil, errors.Join(err, errNotRegular)
		}
	}
	info, err := fs.Lstat(src, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
