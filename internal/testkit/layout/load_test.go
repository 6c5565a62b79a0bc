package layout

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// modulePath is the prefix of the import paths of all packages in this module.
const modulePath = "github.com/lectern-docs/lectern/"

// root is the module's folder, relative to this package.
const root = "../../.."

// source is one file of a package.
type source struct {
	name    string // path from the root, slash-separated
	lines   int
	syntax  *ast.File
	imports map[string]string // name in this file → import path
}

// goPackage is one package without its tests.
type goPackage struct {
	path  string // folder from the root, slash-separated
	name  string // package name
	files []source
}

// loadPackages parses every package of the module, except those that contain only tests, once for all tests.
func loadPackages(t *testing.T) map[string]*goPackage {
	t.Helper()
	packages, err := parsed()
	if err != nil {
		t.Fatalf("parse module: %v", err)
	}
	if len(packages) < 20 {
		t.Fatalf("only %d packages were found: the test searches the wrong folder", len(packages))
	}
	return packages
}

var parsed = sync.OnceValues(func() (map[string]*goPackage, error) {
	packages := map[string]*goPackage{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipFolder(name, d)
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := loadFile(name)
		if err != nil {
			return err
		}
		folder := path.Dir(file.name)
		if packages[folder] == nil {
			packages[folder] = &goPackage{path: folder, name: file.syntax.Name.Name}
		}
		packages[folder].files = append(packages[folder].files, file)
		return nil
	})
	return packages, err
})

// skipFolder skips folders that do not contain this module's source.
func skipFolder(name string, d fs.DirEntry) error {
	if name == root {
		return nil
	}
	base := d.Name()
	if base == "testdata" || base == "node_modules" || base == "vendor" || strings.HasPrefix(base, ".") ||
		strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return fs.SkipDir // a separate module
	}
	return nil
}

func loadFile(name string) (source, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return source{}, err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), name, raw, parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	relative, err := filepath.Rel(root, name)
	if err != nil {
		return source{}, err
	}
	s := source{name: filepath.ToSlash(relative), lines: bytes.Count(raw, []byte("\n")), syntax: syntax,
		imports: map[string]string{}}
	for _, i := range syntax.Imports {
		target, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return source{}, err
		}
		as := path.Base(target)
		if i.Name != nil {
			as = i.Name.Name
			if as == "_" {
				as += target
			}
		}
		s.imports[as] = target
	}
	return s, nil
}

// uses lists the selectors pkg.name in a file, where pkg is the name of an import in that file.
func (s source) uses(importPath string, names ...string) []string {
	var as string
	for name, target := range s.imports {
		if target == importPath {
			as = name
		}
	}
	var found []string
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || as == "" {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == as {
			for _, name := range names {
				if sel.Sel.Name == name {
					found = append(found, importPath+"."+name)
				}
			}
		}
		return true
	})
	return found
}

var requirement = regexp.MustCompile(`(?m)^(?:require)?\s+(\S+\.\S+) v\S+`)

// loadModules lists the modules that go.mod requires.
func loadModules(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatalf("read go.mod: %v", err)
	}
	var out []string
	for _, m := range requirement.FindAllStringSubmatch(string(raw), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatal("go.mod requires nothing: the test misreads it")
	}
	return out
}

// moduleOf returns the module that an import belongs to, or "" for the standard library and our own packages.
func moduleOf(modules []string, importPath string) string {
	best := ""
	for _, m := range modules {
		if (importPath == m || strings.HasPrefix(importPath, m+"/")) && len(m) > len(best) {
			best = m
		}
	}
	return best
}
