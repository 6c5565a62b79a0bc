package main

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// proof is a test function that states claims.
type proof struct {
	pkg  string // folder, relative to the root of the repository
	name string // name of the function
	ids  []string
	late bool // only nightly runs include it
}

var (
	idPattern = regexp.MustCompile(`^[A-Z][0-9]{1,2}$`)
	stated    = regexp.MustCompile(`^([A-Z][0-9]{1,2}(?:(?:, | and )[A-Z][0-9]{1,2})*):(?:\s|$)`)
	between   = regexp.MustCompile(`, | and `)
)

// collect returns the proofs stated in all tests, regardless of build tags, sorted by folder and name.
func collect(root fs.FS) ([]proof, error) {
	var found []proof
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && skipped(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		suite := strings.HasSuffix(path.Base(path.Dir(name)), "test")
		if !suite && !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		proofs, err := parseFile(root, name, suite)
		found = append(found, proofs...)
		return err
	})
	slices.SortFunc(found, func(a, b proof) int {
		return strings.Compare(a.pkg+"\x00"+a.name, b.pkg+"\x00"+b.name)
	})
	return found, err
}

// skipped reports whether a folder contains none of our tests.
func skipped(folder string) bool {
	return strings.HasPrefix(folder, ".") ||
		slices.Contains([]string{"testdata", "node_modules", "bin", "dist"}, folder)
}

// parseFile returns the proofs in one file. In a conformance suite, any function may be a test; elsewhere, only
// functions that the Go tool runs are tests.
func parseFile(root fs.FS, name string, suite bool) ([]proof, error) {
	src, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse tests: %w", err)
	}
	late := !builds(file, "nightly")
	var found []proof
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Doc == nil || !(suite || isTest(f)) {
			continue
		}
		if ids := statedIDs(f.Doc.Text()); len(ids) > 0 {
			found = append(found, proof{pkg: path.Dir(name), name: f.Name.Name, ids: ids, late: late})
		}
	}
	return found, nil
}

// builds reports whether a file is compiled when all tags except one are set.
func builds(file *ast.File, without string) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package {
				return true
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				return x.Eval(func(tag string) bool { return tag != without })
			}
		}
	}
	return true
}

func isTest(f *ast.FuncDecl) bool {
	return f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz"))
}

// statedIDs returns the ids of the claims at the start of a doc comment, if any.
func statedIDs(comment string) []string {
	m := stated.FindStringSubmatch(comment)
	if m == nil {
		return nil
	}
	return between.Split(m[1], -1)
}
