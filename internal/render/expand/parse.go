package expand

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
)

// maxSnippet limits the source of a snippet, in bytes.
const maxSnippet = 1 << 20

// parseFile parses a snippet's file into a module. The module's file is nil if the file cannot be read.
func (ms *modules) parseFile(name string) *module {
	raw, err := readLimited(ms.src, name)
	if err != nil || !utf8.Valid(raw) {
		return &module{}
	}
	cut, list := frontmatter.Parse(name, raw)
	m := ms.parse(&ast.File{Name: name, Body: cut.Body, Line: cut.BodyLine})
	m.findings = append(list, m.findings...)
	return m
}

// parse parses a file's body into a module, after replacing the site's variables in it.
func (ms *modules) parse(file *ast.File) *module {
	file.Body = substitute(file.Body, ms.variables)
	options := mdx.Options{Smart: true, Component: ms.platform}
	root, list := mdx.ParseWith(options, file.Name, file.Body, file.Line)
	m := &module{file: file, root: root, esm: statementsIn(root)}
	defined, more := define(ms.src, file, m.esm)
	m.names, m.findings = defined, append(list, more...)
	return m
}

// statementsIn returns the import and export statements of a page, including those inside elements.
func statementsIn(root *ast.Root) (out []*ast.ESM) {
	ast.Walk(root.Children, func(n ast.Node) bool {
		if e, ok := n.(*ast.ESM); ok {
			out = append(out, e)
		}
		return true
	})
	return out
}

func readLimited(src fs.FS, name string) ([]byte, error) {
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	raw, err := io.ReadAll(io.LimitReader(f, maxSnippet+1))
	if err == nil && len(raw) > maxSnippet {
		err = errors.New("the file is too large")
	}
	return raw, err
}

// maxVariable limits the length of a variable's name, in bytes, so that searching for its end is cheap.
const maxVariable = 200

// substitute replaces {{name}} with the site's variables. Names that the site does not define are left to the parser.
func substitute(body []byte, vars map[string]string) []byte {
	if len(vars) == 0 || !bytes.Contains(body, []byte("{{")) {
		return body
	}
	var out []byte
	rest := body
	for {
		i := bytes.Index(rest, []byte("{{"))
		if i < 0 {
			return append(out, rest...)
		}
		near := rest[i+2 : min(len(rest), i+2+maxVariable)]
		if name, _, ok := bytes.Cut(near, []byte("}}")); ok {
			if v, known := vars[string(bytes.TrimSpace(name))]; known {
				out = append(append(out, rest[:i]...), v...)
				rest = rest[i+2+len(name)+2:]
				continue
			}
		}
		out = append(out, rest[:i+2]...)
		rest = rest[i+2:]
	}
}
