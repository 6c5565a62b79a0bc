package expand

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

// maxSnippet bounds one snippet's source, in bytes.
const maxSnippet = 1 << 20

// module is one .mdx file, read: a page or a snippet. It does not change after it was made, but for its code, which is compiled when
// it is first needed.
type module struct {
	file  *ast.File // nil: there is no such file
	root  *ast.Root
	list  diag.List // findings of reading and parsing
	esm   []*ast.ESM
	names map[string]definition // what imports and exports define
	bound []string              // those of names that stand for something in the module itself, in the order written
	asked []string              // files that its imports were looked for in

	once sync.Once
	code *code
}

// definition is what a name at the top of a module stands for.
type definition struct {
	kind   kind
	value  ast.Value // constant
	file   string    // snippet, reexport: the .mdx file
	export string    // reexport: the name there
}

type kind int

const (
	script   kind = iota // only the engine knows it
	constant             // data
	snippet              // an .mdx file's content
	reexport             // a name that another .mdx file exports
	missing              // an unresolved import; already reported
)

// load reads a snippet.
func (s *Site) load(name string) *module {
	raw, err := readAll(s.opt.Src, name)
	if err != nil || !utf8.Valid(raw) {
		return &module{}
	}
	cut, list := frontmatter.Parse(name, raw)
	m := s.parse(&ast.File{Name: name, Body: cut.Body, Line: cut.BodyLine})
	m.list = append(list, m.list...)
	return m
}

func readAll(src fs.FS, name string) ([]byte, error) {
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	raw, err := io.ReadAll(io.LimitReader(f, maxSnippet+1))
	if err == nil && len(raw) > maxSnippet {
		err = errors.New("the file is too large")
	}
	return raw, err
}

// parse makes a module of a file's body.
func (s *Site) parse(file *ast.File) *module {
	file.Body = substitute(file.Body, s.opt.Variables)
	root, list := mdx.ParseWith(mdx.Options{Smart: true, Component: s.opt.Platform}, file.Name, file.Body, file.Line)
	m := &module{file: file, root: root, list: list}
	ast.Walk(root.Children, func(n ast.Node) bool { // also between the tags of an element
		if e, ok := n.(*ast.ESM); ok {
			m.esm = append(m.esm, e)
			s.statements(m, e)
		}
		return true
	})
	return m
}

// statements notes what one run of imports and exports defines.
func (s *Site) statements(m *module, e *ast.ESM) {
	if m.names == nil {
		m.names = map[string]definition{}
	}
	all, err := esm.Parse(e.Source)
	if err != nil {
		at, hint := e.Start, ""
		if bad := new(esm.Error); errors.As(err, &bad) {
			at, hint = at+bad.Offset, bad.Hint
		}
		m.list.Errorf(m.file.Pos(at), "mdx-esm", "The import or export cannot be read: %v.", err)
		m.list.Hint(hint)
	}
	for _, st := range all {
		switch st := st.(type) {
		case *esm.Import:
			s.imported(m, st, e.Start+st.Offset)
		case *esm.Export:
			m.exported(st)
		}
	}
}

func (s *Site) imported(m *module, st *esm.Import, at int) {
	file, isMDX := target(m.file.Name, st.From)
	if file != "" && !s.found(m, file, isMDX) {
		m.list.Warnf(m.file.Pos(at), "missing-import", "There is no file %q to import.", st.From)
		m.list.Hint("Imports are paths from the root of the docs folder, such as /snippets/name.mdx.")
		m.define(st, definition{kind: missing}, definition{kind: missing})
		return
	}
	if isMDX {
		m.define(st, definition{kind: snippet, file: file}, definition{kind: reexport, file: file})
		return
	}
	m.define(st, definition{kind: script}, definition{kind: script})
}

// define gives the names of an import their meaning: whole for the default and the namespace, part for each named one.
func (m *module) define(st *esm.Import, whole, part definition) {
	for _, n := range []string{st.Default, st.Namespace} {
		if n != "" {
			m.names[n] = whole
			m.bound = append(m.bound, n)
		}
	}
	for _, n := range st.Named {
		d := part
		if d.export = n.Name; n.Name == "default" {
			d = whole
		}
		m.names[n.As] = d
		m.bound = append(m.bound, n.As)
	}
}

// target is the file that an import leads to; content reports whether it is a page's kind of file.
func target(from, ref string) (file string, content bool) {
	if !strings.HasPrefix(ref, "/") && !strings.HasPrefix(ref, ".") {
		return "", false // a package
	}
	if !strings.HasPrefix(ref, "/") {
		ref = path.Join("/", path.Dir(from), ref)
	}
	ref = strings.TrimPrefix(path.Clean(ref), "/")
	ext := path.Ext(ref)
	return ref, ext == ".mdx" || ext == ".md"
}

// found reports whether an import leads to a file. Code may be named without its ending.
func (s *Site) found(m *module, file string, content bool) bool {
	for _, ending := range []string{"", ".jsx", ".tsx", ".js", ".ts", ".json", "/index.jsx", "/index.tsx", "/index.js", "/index.ts"} {
		if ending != "" && content {
			break
		}
		m.asked = append(m.asked, file+ending)
		if exists(s.opt.Src, file+ending) {
			return true
		}
	}
	return false
}

func exists(src fs.FS, name string) bool {
	info, err := fs.Stat(src, name)
	return err == nil && info.Mode().IsRegular()
}

// resolve follows names that come from other .mdx files to what they stand for.
func (s *Site) resolve(d definition) definition {
	for range maxDepth {
		if d.kind != reexport {
			return d
		}
		m := s.snippet(d.file)
		next, ok := m.names[d.export]
		if !ok {
			return definition{kind: missing}
		}
		d = next
	}
	return definition{kind: missing}
}

// isScript reports whether a name is code.
func (m *module) isScript(s *Site, name string) bool {
	d, ok := m.names[name]
	return ok && s.resolve(d).kind == script
}

// tag is what a tag's name stands for. As in JSX, a name that starts with a small letter is HTML, whatever the module defines.
func (m *module) tag(name string) (d definition, ok bool) {
	first, _, member := strings.Cut(name, ".")
	if name == "" || !member && name[0] >= 'a' && name[0] <= 'z' {
		return d, false
	}
	d, ok = m.names[first]
	return d, ok
}

// scriptTag reports whether a tag's name is code.
func (m *module) scriptTag(s *Site, name string) bool {
	d, ok := m.tag(name)
	return ok && s.resolve(d).kind == script
}
