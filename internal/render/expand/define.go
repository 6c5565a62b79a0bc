package expand

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// define returns the names that the import and export statements of a file define. It checks in src whether
// imported files exist.
func define(src fs.FS, file *ast.File, blocks []*ast.ESM) (names, diag.List) {
	if len(blocks) == 0 {
		return names{}, nil
	}
	d := &definer{src: src, file: file, names: names{defined: map[string]definition{}}}
	for _, block := range blocks {
		d.addBlock(block)
	}
	return d.names, d.findings
}

// definer collects the definitions of one file. A statement can use the definitions before it.
type definer struct {
	src      fs.FS
	file     *ast.File // file with the statements
	names    names     // so far
	findings diag.List // so far
}

// addBlock adds the definitions in one group of statements.
func (d *definer) addBlock(block *ast.ESM) {
	statements, err := esm.Parse(block.Source)
	if err != nil {
		at, hint := block.Start, ""
		if bad := new(esm.Error); errors.As(err, &bad) {
			at, hint = at+bad.Offset, bad.Hint
		}
		d.findings.Errorf(d.file.Pos(at), "mdx-esm", "The import or export cannot be read: %v.", err)
		d.findings.Hint(hint)
	}
	for _, st := range statements {
		switch st := st.(type) {
		case *esm.Import:
			d.addImport(st, block.Start+st.Offset)
		case *esm.Export:
			d.addExport(st)
		}
	}
}

// addImport defines the names of an import. whole is for the default and namespace imports, part for named ones.
func (d *definer) addImport(st *esm.Import, at int) {
	whole, part := definition{kind: script}, definition{kind: script}
	file, isMDX := importTarget(d.file.Name, st.From)
	switch {
	case file != "" && !d.exists(file, isMDX):
		d.findings.Warnf(d.file.Pos(at), "missing-import", "Imported file not found: %q.", st.From)
		d.findings.Hint("Import paths start at the root of the docs folder, such as /snippets/name.mdx.")
		whole, part = definition{kind: missing}, definition{kind: missing}
	case isMDX:
		whole, part = definition{kind: snippet, file: file}, definition{kind: reexport, file: file}
	}
	for _, name := range []string{st.Default, st.Namespace} {
		if name != "" {
			d.addLocal(name, whole)
		}
	}
	for _, n := range st.Named {
		one := part
		if one.export = n.Name; n.Name == "default" {
			one = whole
		}
		d.addLocal(n.As, one)
	}
}

// addExport defines the name of an export. Data is evaluated immediately; everything else is code.
func (d *definer) addExport(st *esm.Export) {
	switch st.Kind {
	case esm.Default: // a page's layout, which the platform provides itself
	case esm.List:
		if known, ok := d.names.defined[st.Local]; ok {
			d.names.defined[st.Name] = known
		}
	case esm.Reexport:
		d.names.defined[st.Name] = d.reexported(st)
	default:
		d.addLocal(st.Name, d.names.initial(st.Init))
	}
}

// addLocal defines a name that the module itself can use.
func (d *definer) addLocal(name string, one definition) {
	d.names.defined[name] = one
	d.names.local = append(d.names.local, name)
}

func (d *definer) reexported(st *esm.Export) definition {
	if file, isMDX := importTarget(d.file.Name, st.From); isMDX {
		return definition{kind: reexport, file: file, export: st.Local}
	}
	return definition{kind: script}
}

// codeEndings lists the extensions that code imports may omit.
var codeEndings = []string{
	".jsx", ".tsx", ".js", ".ts", ".json", "/index.jsx", "/index.tsx", "/index.js", "/index.ts",
}

// exists reports whether an import refers to an existing file.
func (d *definer) exists(file string, isMDX bool) bool {
	endings := []string{""}
	if !isMDX {
		endings = append(endings, codeEndings...)
	}
	for _, ending := range endings {
		d.names.tried = append(d.names.tried, file+ending)
		if isFile(d.src, file+ending) {
			return true
		}
	}
	return false
}

func isFile(src fs.FS, name string) bool {
	info, err := fs.Stat(src, name)
	return err == nil && info.Mode().IsRegular()
}

// importTarget returns the file that an import refers to, or "" if it is a package. isMDX reports whether the file
// is parsed as a snippet.
func importTarget(from, ref string) (file string, isMDX bool) {
	switch {
	case strings.HasPrefix(ref, "/"):
	case strings.HasPrefix(ref, "."):
		ref = path.Join("/", path.Dir(from), ref)
	default:
		return "", false
	}
	file = strings.TrimPrefix(path.Clean(ref), "/")
	return file, isMDXFile(file)
}

func isMDXFile(name string) bool {
	ext := path.Ext(name)
	return ext == ".mdx" || ext == ".md"
}

// initial returns the definition of an exported variable. It is a constant if its value depends only on other
// constants of the module.
func (n *names) initial(source string) definition {
	if v, ok := expr.Literal(source); ok && source != "" {
		return definition{kind: constant, value: v}
	}
	x, err := expr.Parse(source)
	if source == "" || err != nil || len(x.Tags()) > 0 {
		return definition{kind: script}
	}
	for _, name := range x.Names() {
		if n.defined[name].kind != constant {
			return definition{kind: script}
		}
	}
	v, err := x.Eval(n)
	if err != nil {
		return definition{kind: script}
	}
	return definition{kind: constant, value: v}
}

// Lookup implements expr.Scope for the values of exported variables. It finds constants of the module.
func (n *names) Lookup(name string) (ast.Value, bool) {
	d, ok := n.defined[name]
	return d.value, ok && d.kind == constant
}
