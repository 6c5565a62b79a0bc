package rename

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// In code, imports and URLs that start at the root are changed. URLs that the code computes are not changed.
var (
	codeImport = lazyregexp.New(`(?m)(?:^[ \t]*import[ \t]*|\bfrom[ \t]*)['"]([^'"\n]+)['"]`)
	codeRef    = lazyregexp.New(`\b(?:href|src|img|to)[ \t]*[=:][ \t]*\{?[ \t]*['"](/[^'"\n]*)['"]`)
)

// code changes the references in a file of components.
func (p *planner) code(name string) error {
	src, ok := p.read(name)
	if !ok {
		return nil
	}
	var edits []write.Edit
	for _, m := range codeImport.FindAllSubmatchIndex(src, -1) {
		if to, ok := p.module(name, string(src[m[2]:m[3]])); ok {
			edits = append(edits, write.Edit{Span: ast.Span{Start: m[2], End: m[3]}, Text: to})
		}
	}
	for _, m := range codeRef.FindAllSubmatchIndex(src, -1) {
		if to, ok := p.ref(name, string(src[m[2]:m[3]])); ok {
			edits = append(edits, write.Edit{Span: ast.Span{Start: m[2], End: m[3]}, Text: to})
		}
	}
	after, err := write.Apply(src, edits)
	if err != nil {
		return fmt.Errorf("plan move of imports in %s: %w", strconv.Quote(name), err)
	}
	p.edit(name, src, after)
	return nil
}

// module returns the new form of an import. Imports of code may omit the extension.
func (p *planner) module(file, from string) (string, bool) {
	if !strings.HasPrefix(from, "/") && !strings.HasPrefix(from, ".") {
		return from, false // a package
	}
	if path.Ext(from) == "" {
		for _, ext := range []string{".jsx", ".tsx", ".js", ".ts", ".json"} {
			to, ok := p.ref(file, from+ext)
			if target := p.moduleFile(file, from+ext); ok && p.after(target) != target || ok && p.exists(target) {
				return strings.TrimSuffix(to, ext), true
			}
		}
	}
	to, ok := p.ref(file, from)
	if ok && !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, ".") {
		to = "./" + to
	}
	return to, ok && to != from
}

func (p *planner) moduleFile(file, from string) string {
	if strings.HasPrefix(from, "/") {
		return path.Clean(from)[1:]
	}
	return path.Join(path.Dir(file), from)
}

func (p *planner) exists(name string) bool {
	info, err := fs.Stat(p.src, name)
	return err == nil && info.Mode().IsRegular()
}
