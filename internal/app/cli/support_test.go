package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// TestMain lets the test program act as the process in which commands run author code.
func TestMain(m *testing.M) {
	// Builds and sandboxes start their own executable: with other arguments it would run all tests of this package.
	if len(os.Args) > 1 && slices.Contains([]string{daemon.ScriptCommand, sandbox.Command, "check"}, os.Args[1]) {
		os.Exit(Main(context.Background(), Process{Args: os.Args[1:], Environ: os.Environ(), Stdin: os.Stdin,
			Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, Rand: rand.Reader}))
	}
	os.Exit(m.Run())
}

// runResult is the result of a run of the program.
type runResult struct {
	code           int
	stdout, stderr string
}

// invoke runs the program in this process. Leading entries of args in the form NAME=value are its environment.
func invoke(t *testing.T, args ...string) runResult {
	t.Helper()
	return invokeWith(t.Context(), args...)
}

func invokeWith(ctx context.Context, args ...string) runResult {
	var environ []string
	for len(args) > 0 && strings.Contains(args[0], "=") && !strings.HasPrefix(args[0], "-") {
		environ, args = append(environ, args[0]), args[1:]
	}
	var out, err bytes.Buffer
	self, _ := os.Executable() // without it no author code runs, and tests fail
	code := Main(ctx, Process{
		Args: args, Environ: environ, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Version: "v0-test",
		SelfExe: self, Now: time.Now, Rand: rand.Reader,
	})
	return runResult{code, out.String(), err.String()}
}

// want fails unless the run ended with code and standard error contains every text.
func (a runResult) want(t *testing.T, code int, texts ...string) runResult {
	t.Helper()
	if a.code != code {
		t.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", a.code, code, a.stdout, a.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(a.stderr, text) {
			t.Errorf("standard error lacks %q:\n%s", text, a.stderr)
		}
	}
	return a
}

// write creates a folder with these files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// smallSite returns a docs folder with two pages and an image.
func smallSite(t *testing.T) string {
	t.Helper()
	return write(t, siteFiles())
}

func siteFiles() map[string]string {
	return map[string]string{
		"docs.json":        `{"name": "Small", "navigation": {"pages": ["index", "guides/start"]}}`,
		"index.mdx":        "---\ntitle: Welcome\n---\n\nHello. [Start](/guides/start).\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n\n## First\n\nDo it.\n",
		"images/dot.svg":   `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	}
}

// brokenSite is smallSite with a page that cannot be written.
func brokenSite(t *testing.T) string {
	t.Helper()
	files := siteFiles()
	files["guides/start.mdx"] = "---\ntitle: [Start\n---\n\nDo it.\n"
	return write(t, files)
}

// list returns the paths of all files below dir, in order.
func list(t *testing.T, dir string) []string {
	t.Helper()
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found[name] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
