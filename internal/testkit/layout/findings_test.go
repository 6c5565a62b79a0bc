package layout

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// codeShape matches valid finding codes.
var codeShape = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// findingLayers are the layers that read authors' files and write findings.
var findingLayers = []string{"mdx", "site", "render", "build"}

// findingPackages are packages of other layers that also write findings.
var findingPackages = []string{"internal/foundation/diag", "internal/foundation/jsontree",
	"internal/foundation/yamltree", "internal/script/jsbuild", "internal/script/jsrun",
	"internal/ai/guard", "internal/ai/maintain", "internal/ai/agenttools", "internal/app/cli"}

// writesFindings reports whether a package may write findings.
func writesFindings(path string) bool {
	place, ok := layerOf(path)
	inLayer := ok && place >= 0 && place < len(layers) && slices.Contains(findingLayers, layers[place].name)
	return inLayer || slices.Contains(findingPackages, path)
}

// tellers finds functions that take a finding's code, that is, have a parameter called code in addition to one called
// message, msg or format. It maps a function's name to the positions of the code parameter.
func tellers(packages map[string]*goPackage) map[string][]int {
	found := map[string][]int{}
	add := func(name string, t *ast.FuncType) {
		at, place, speaks := -1, 0, false
		for _, field := range t.Params.List {
			for _, n := range field.Names {
				switch n.Name {
				case "code":
					at = place
				case "message", "msg", "format":
					speaks = true
				}
				place++
			}
		}
		if at >= 0 && speaks && !slices.Contains(found[name], at) {
			found[name] = append(found[name], at)
		}
	}
	for path, r := range packages {
		if !writesFindings(path) {
			continue
		}
		for _, f := range r.files {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					add(n.Name.Name, n.Type)
				case *ast.Field: // a parameter or a method of an interface
					if t, ok := n.Type.(*ast.FuncType); ok && len(n.Names) == 1 {
						add(n.Names[0].Name, t)
					}
				}
				return true
			})
		}
	}
	return found
}

// codeFirst returns the structs whose first field is a code, because their literals may omit field names.
func codeFirst(packages map[string]*goPackage) map[string]bool {
	found := map[string]bool{}
	for path, r := range packages {
		for _, f := range r.files {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || !writesFindings(path) {
					return true
				}
				if s, ok := spec.Type.(*ast.StructType); ok && s.Fields.NumFields() > 1 &&
					len(s.Fields.List[0].Names) > 0 && s.Fields.List[0].Names[0].Name == "code" {
					found[spec.Name.Name] = true
				}
				return true
			})
		}
	}
	return found
}

// codesInUse maps each code that a package writes to one position where it is written.
func codesInUse(packages map[string]*goPackage) map[string]string {
	places, first := tellers(packages), codeFirst(packages)
	used := map[string]string{}
	note := func(file string, e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		if code, err := strconv.Unquote(lit.Value); err == nil && codeShape.MatchString(code) {
			used[code] = file
		}
	}
	for path, r := range packages {
		if !writesFindings(path) {
			continue
		}
		for _, f := range r.files {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for _, at := range places[calledName(n)] {
						if at < len(n.Args) {
							note(f.name, n.Args[at])
						}
					}
				case *ast.CompositeLit:
					if name, ok := n.Type.(*ast.Ident); ok && first[name.Name] && len(n.Elts) > 0 {
						note(f.name, n.Elts[0])
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "code") {
						note(f.name, n.Value)
					}
				case *ast.AssignStmt:
					if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "code" && len(n.Rhs) > 0 {
						note(f.name, n.Rhs[0])
					}
				}
				return true
			})
		}
	}
	return used
}

// calledName returns the name of the called function, or "" for fmt.Errorf, whose arguments are not codes.
func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok && x.Name == "fmt" {
			return ""
		}
		return fun.Sel.Name
	}
	return ""
}

var codeRow = regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$")

func TestFindingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "findings.mdx"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range codeRow.FindAllStringSubmatch(string(page), -1) {
		if documented[m[1]] {
			t.Errorf("findings.mdx lists %s twice", m[1])
		}
		documented[m[1]] = true
		for _, cell := range m[2:] {
			if strings.TrimSpace(cell) == "" {
				t.Errorf("findings.mdx: the row of %s has an empty cell", m[1])
			}
		}
	}
	used := codesInUse(loadPackages(t))
	if len(used) < 30 {
		t.Fatalf("only %d codes were found: the test searches for the wrong calls", len(used))
	}
	for _, code := range slices.Sorted(maps.Keys(used)) {
		if !documented[code] {
			t.Errorf("%s: the finding %q has no row in docs/reference/findings.mdx", used[code], code)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(documented)) {
		if used[code] == "" {
			t.Errorf("docs/reference/findings.mdx describes %q, which nothing writes", code)
		}
	}
}
