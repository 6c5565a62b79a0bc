package house

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageStandsOnAFloor(t *testing.T) {
	for _, r := range loadRooms(t) {
		if _, ok := plan[r.path]; !ok {
			t.Errorf("%s is on no floor: put it on one in plan_test.go", r.path)
		}
	}
}

func TestImportsGoDown(t *testing.T) {
	for _, r := range loadRooms(t) {
		for _, f := range r.files {
			for _, target := range f.imports {
				to, ours := strings.CutPrefix(target, modulePath)
				if !ours {
					continue
				}
				if reason := refuse(r.path, to); reason != "" {
					t.Errorf("%s imports %s: %s", f.name, to, reason)
				}
			}
		}
	}
}

// refuse says why a package may not import another, or "".
func refuse(from, to string) string {
	pair := [2]string{from, to}
	above, below := plan[from], plan[to]
	switch {
	case above == tests:
		return ""
	case below == tests:
		return "only tests may"
	case from == "client":
		return "the public client stands alone"
	case above == entrance && from == "cmd/lectern" && to != "internal/cli":
		return "main calls internal/cli and nothing else"
	case climbs[pair] != "":
		return ""
	case below > above:
		return "that climbs"
	case above == ledger && below == press:
		return "press and ledger are side by side"
	case below < above || neighbours(from, to, above):
		return ""
	}
	return "it stands on the same floor"
}

// neighbours reports whether two packages of one floor may know each other.
func neighbours(from, to string, on floor) bool {
	if on == press || on == ledger || sameFloor[[2]string{from, to}] != "" {
		return true
	}
	return (on == drivers || on == doors) && (family(from) == family(to) || sameFloor[[2]string{family(from), to}] != "")
}

// family is the room a driver or a door belongs to: internal/forge for internal/forge/github.
func family(room string) string {
	parts := strings.Split(room, "/")
	return path.Join(parts[:min(2, len(parts))]...)
}

// TestRefuse shows that the rules can say no.
func TestRefuse(t *testing.T) {
	for _, pair := range [][2]string{
		{"internal/render", "internal/store"}, {"internal/render", "internal/account"}, {"internal/account", "internal/render"},
		{"internal/store", "internal/blob"}, {"internal/blob/disk", "internal/store"}, {"internal/publish", "internal/adminapi"},
		{"internal/store", "internal/testserver/postgres"}, {"client", "internal/fault"}, {"internal/fault", "internal/id"},
		{"cmd/lectern", "internal/daemon"}, {"web/theme", "internal/site"}, {"internal/adminapi", "internal/config"},
	} {
		if refuse(pair[0], pair[1]) == "" {
			t.Errorf("%s may import %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"internal/render", "internal/site"}, {"internal/forge", "internal/forge/github"}, {"internal/adminapi", "internal/store"},
		{"internal/daemon", "internal/config"}, {"internal/worktest", "internal/store"}, {"cmd/lectern", "internal/cli"}, {"bench", "client"},
	} {
		if reason := refuse(pair[0], pair[1]); reason != "" {
			t.Errorf("%s may not import %s: %s", pair[0], pair[1], reason)
		}
	}
}

// TestNoExceptionIsStale takes back a permission that a room no longer needs; rooms still to be built keep theirs.
func TestNoExceptionIsStale(t *testing.T) {
	imports, clocks := map[string]map[string]bool{}, map[string]bool{}
	for _, r := range loadRooms(t) {
		for _, room := range []string{r.path, family(r.path)} { // a family's permission is used by any of its members
			if imports[room] == nil {
				imports[room] = map[string]bool{}
			}
		}
		for _, f := range r.files {
			for _, target := range f.imports {
				imports[r.path][strings.TrimPrefix(target, modulePath)] = true
				imports[family(r.path)][strings.TrimPrefix(target, modulePath)] = true
			}
			clocks[r.path] = clocks[r.path] || len(ownClock(f)) > 0
		}
	}
	for pair := range sameFloor {
		if has, built := imports[pair[0]]; built && imports[pair[1]] != nil && !has[pair[1]] {
			t.Errorf("%s does not import %s: strike the exception off", pair[0], pair[1])
		}
	}
	for room := range clockReaders {
		if imports[room] != nil && !clocks[room] {
			t.Errorf("%s reads neither clock nor randomness: strike the exception off", room)
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for _, r := range loadRooms(t) {
		var comments []string
		for _, f := range r.files {
			if f.syntax.Doc != nil {
				comments = append(comments, f.syntax.Doc.Text())
			}
		}
		begin := "Package " + r.name + " "
		if r.name == "main" {
			begin = "Command " + path.Base(r.path) + " "
		}
		if len(comments) != 1 || !strings.HasPrefix(comments[0], begin) {
			t.Errorf("%s has %d package comments, want one that begins with %q", r.path, len(comments), begin)
		}
	}
}

func TestEachLibraryHasOneDoor(t *testing.T) {
	modules, doorsOf := loadModules(t), map[string]map[string]bool{}
	for _, r := range loadRooms(t) {
		if plan[r.path] == tests {
			continue
		}
		for _, f := range r.files {
			for _, target := range f.imports {
				if m := moduleOf(modules, target); m != "" {
					if doorsOf[m] == nil {
						doorsOf[m] = map[string]bool{}
					}
					doorsOf[m][family(r.path)] = true
				}
			}
		}
	}
	for m, rooms := range doorsOf {
		for room := range rooms {
			if len(rooms) > 1 && libraries[m][room] == "" {
				t.Errorf("%s is one of %d rooms that import %s: reach it through one room, or list it with a reason", room, len(rooms), m)
			}
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	for _, r := range loadRooms(t) {
		for _, part := range append(strings.Split(r.path, "/"), r.name) {
			if slices.Contains(forbiddenNames, part) {
				t.Errorf("%s: %q says nothing about what it holds", r.path, part)
			}
		}
	}
}

// given reports what a room uses by itself although it should be given it.
func given(t *testing.T, allowed map[string]string, find func(source) []string, want string) {
	t.Helper()
	for _, r := range loadRooms(t) {
		if plan[r.path] == tests || allowed[r.path] != "" {
			continue
		}
		for _, f := range r.files {
			for _, use := range slices.Compact(slices.Sorted(slices.Values(find(f)))) {
				t.Errorf("%s uses %s: %s", f.name, use, want)
			}
		}
	}
}

func TestOnlyConfigReadsTheEnvironment(t *testing.T) {
	given(t, environmentReaders, func(f source) []string {
		return append(f.uses("os", "Getenv", "LookupEnv", "Environ", "ExpandEnv"), f.uses("syscall", "Getenv", "Environ")...)
	}, "only internal/config reads the environment")
}

func TestClockAndRandomnessArePassedIn(t *testing.T) {
	given(t, clockReaders, ownClock, "clock and randomness are passed in")
}

// ownClock is what a file takes of the machine's clock and randomness.
func ownClock(f source) []string {
	found := f.uses("time", "Now", "Since", "Until")
	for _, target := range f.imports {
		if target == "math/rand" || target == "math/rand/v2" || target == "crypto/rand" {
			found = append(found, target)
		}
	}
	return found
}

func TestOnlyTheStoreKnowsSQL(t *testing.T) {
	given(t, sqlRooms, func(f source) []string {
		var found []string
		for _, target := range f.imports {
			if target == "database/sql" || strings.HasPrefix(target, "github.com/jackc/pgx/") || strings.HasPrefix(target, "modernc.org/sqlite") {
				found = append(found, target)
			}
		}
		return found
	}, "SQL belongs to internal/store")
}

func TestFilesAreShort(t *testing.T) {
	for _, r := range loadRooms(t) {
		for _, f := range r.files {
			if f.lines > maxLines && !ast.IsGenerated(f.syntax) {
				t.Errorf("%s has %d lines, at most %d: it holds more than one thing", f.name, f.lines, maxLines)
			}
		}
	}
}

// TestNothingRunsBeforeMain keeps init functions out: lists are written where one can read them.
func TestNothingRunsBeforeMain(t *testing.T) {
	for _, r := range loadRooms(t) {
		for _, f := range r.files {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function", f.name)
				}
			}
		}
	}
}
