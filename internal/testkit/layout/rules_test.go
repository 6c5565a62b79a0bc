package layout

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageHasOneComment(t *testing.T) {
	for _, p := range loadPackages(t) {
		var comments []string
		for _, f := range p.files {
			if f.syntax.Doc != nil {
				comments = append(comments, f.syntax.Doc.Text())
			}
		}
		begin := "Package " + p.name + " "
		if p.name == "main" {
			begin = "Command " + path.Base(p.path) + " "
		}
		if len(comments) != 1 || !strings.HasPrefix(comments[0], begin) {
			t.Errorf("%s has %d package comments, want one that begins with %q", p.path, len(comments), begin)
		}
	}
}

func TestEachLibraryIsImportedByOnePackage(t *testing.T) {
	modules, importers := loadModules(t), map[string]map[string]bool{}
	for _, p := range loadPackages(t) {
		if place, _ := layerOf(p.path); place == tests {
			continue
		}
		for _, f := range p.files {
			for _, target := range f.imports {
				if m := moduleOf(modules, target); m != "" {
					if importers[m] == nil {
						importers[m] = map[string]bool{}
					}
					importers[m][group(p.path)] = true
				}
			}
		}
	}
	for m, packages := range importers {
		for p := range packages {
			if len(packages) > 1 && libraries[m][p] == "" {
				t.Errorf("%s is one of %d packages that import %s: import it in one, or list it with a reason", p,
					len(packages), m)
			}
		}
	}
}

func TestPackageNamesAreSpecific(t *testing.T) {
	for _, p := range loadPackages(t) {
		for _, part := range append(strings.Split(p.path, "/"), p.name) {
			if slices.Contains(forbiddenNames, part) {
				t.Errorf("%s: %q says nothing about the package's content", p.path, part)
			}
		}
	}
}

// given reports uses of things that callers should pass to a package.
func given(t *testing.T, allowed map[string]string, find func(source) []string, want string) {
	t.Helper()
	for _, p := range loadPackages(t) {
		if place, _ := layerOf(p.path); place == tests || allowed[p.path] != "" {
			continue
		}
		for _, f := range p.files {
			for _, use := range slices.Compact(slices.Sorted(slices.Values(find(f)))) {
				t.Errorf("%s uses %s: %s", f.name, use, want)
			}
		}
	}
}

func TestOnlyConfigReadsEnvironment(t *testing.T) {
	given(t, environmentReaders, func(f source) []string {
		return append(f.uses("os", "Getenv", "LookupEnv", "Environ", "ExpandEnv"),
			f.uses("syscall", "Getenv", "Environ")...)
	}, "only internal/app/config reads the environment")
}

func TestClockAndRandomnessArePassedIn(t *testing.T) {
	given(t, clockReaders, ownClock, "clock and randomness are passed in")
}

// ownClock returns the uses of the machine's clock and randomness in a file.
func ownClock(f source) []string {
	found := f.uses("time", "Now", "Since", "Until")
	for _, target := range f.imports {
		if target == "math/rand" || target == "math/rand/v2" || target == "crypto/rand" {
			found = append(found, target)
		}
	}
	return found
}

func TestOnlyStoreContainsSQL(t *testing.T) {
	given(t, sqlPackages, func(f source) []string {
		var found []string
		for _, target := range f.imports {
			if target == "database/sql" || strings.HasPrefix(target, "github.com/jackc/pgx/") ||
				strings.HasPrefix(target, "modernc.org/sqlite") {
				found = append(found, target)
			}
		}
		return found
	}, "SQL belongs to internal/store")
}

func TestFilesAreShort(t *testing.T) {
	for _, p := range loadPackages(t) {
		for _, f := range p.files {
			if f.lines > maxLines && !ast.IsGenerated(f.syntax) {
				t.Errorf("%s has %d lines, at most %d: it contains more than one thing", f.name, f.lines, maxLines)
			}
		}
	}
}

// TestNothingRunsBeforeMain fails for init functions, so that lists are written in one place instead of registered from
// many.
func TestNothingRunsBeforeMain(t *testing.T) {
	for _, p := range loadPackages(t) {
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function", f.name)
				}
			}
		}
	}
}
