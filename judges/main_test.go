package judges

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// binary is the path of the program under test, which is built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "lectern-judges-")
	if err == nil {
		binary, err = lectern.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir) // a temporary folder
	fmt.Print(results.String())
	os.Exit(code)
}

// verdict is a row of the table.
type verdict struct{ surface, judge, result string }

// table collects verdicts of tests that may run concurrently.
type table struct {
	mu   sync.Mutex
	rows []verdict
}

var results table

// judged adds a row for a test to the table, with its result when it ends. The test may set the note until then, to
// state what was counted.
func judged(t *testing.T, surface, judge string) (note *string) {
	t.Helper()
	note = new(string)
	t.Cleanup(func() {
		result := "pass"
		if t.Failed() {
			result = "FAIL"
		}
		if *note != "" {
			result += ": " + *note
		}
		results.add(verdict{surface, judge, result})
	})
	return note
}

func (r *table) add(v verdict) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, v)
}

func (r *table) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.SortFunc(r.rows, func(a, b verdict) int {
		return strings.Compare(a.surface+"\x00"+a.judge, b.surface+"\x00"+b.judge)
	})
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "surface\tjudge\tresult")
	for _, row := range r.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.surface, row.judge, row.result)
	}
	_ = w.Flush() // into memory
	return out.String()
}

// writeFiles writes files into a folder.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
