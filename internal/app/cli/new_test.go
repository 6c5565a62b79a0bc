package cli

import (
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/docsjson"
)

func TestNewSiteHasNoFindings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, color, theme string }{
		{"", "", "mint"}, {`A "quoted" name & more`, "#7C3AED", "maple"}, {"日本語", "ffffff", "luma"},
	} {
		dir := filepath.Join(t.TempDir(), "my-docs")
		args := []string{"new", dir, "--theme", c.theme}
		if c.name != "" {
			args = append(args, "--name", c.name)
		}
		if c.color != "" {
			args = append(args, "--color", c.color)
		}
		invoke(t, args...).want(t, 0, "lectern dev "+dir)
		if a := invoke(t, "check", dir, "--strict").want(t, 0); a.stdout != "" {
			t.Errorf("findings:\n%s", a.stdout)
		}
		want := c.name
		if want == "" {
			want = "My docs"
		}
		cfg, _ := docsjson.Load(os.DirFS(dir))
		if cfg.Name != want || cfg.Theme != c.theme {
			t.Errorf("the site is %q with %s", cfg.Name, cfg.Theme)
		}
		if readme := read(t, filepath.Join(dir, "README.md")); strings.Contains(readme, "__") {
			t.Errorf("README has %s", readme)
		}
	}
}

// watched counts the files in a folder when the first line is written.
type watched struct {
	t     *testing.T
	dir   string
	files int // when the first line was written; 0 = nothing was written
}

func (w *watched) Write(line []byte) (int, error) {
	if w.files == 0 {
		w.files = len(list(w.t, w.dir))
	}
	return len(line), nil
}

// The whole site is written even if the reader of the file list stops early, as in "lectern new site | head -3".
func TestNewReportsFilesOnceAllExist(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	out := &watched{t: t, dir: dir}
	code := Main(t.Context(), Process{Args: []string{"new", dir}, Stdin: strings.NewReader(""), Stdout: out,
		Stderr: io.Discard, Version: "v0-test", Now: time.Now, Rand: rand.Reader})
	if all := len(list(t, dir)); code != 0 || out.files != all || all < 10 {
		t.Errorf("code %d: %d of %d files were there when the first was reported", code, out.files, all)
	}
}

func TestNewNeverOverwritesFiles(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"index.mdx": "mine"})
	invoke(t, "new", dir).want(t, 5, "is not empty", "--force")
	if got := list(t, dir); len(got) != 1 {
		t.Errorf("a refused command wrote %v", got)
	}
	invoke(t, "new", dir, "--force").want(t, 0, "index.mdx already exists")
	if read(t, filepath.Join(dir, "index.mdx")) != "mine" {
		t.Error("the author's page was overwritten")
	}
	if got := list(t, dir); len(got) < 10 {
		t.Errorf("only %v were written", got)
	}
}

func TestNewRefusesInvalidOptions(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--theme", "neon"}, {"--color", "red"}, {"--name", "<script>"}} {
		dir := filepath.Join(t.TempDir(), "x")
		invoke(t, append([]string{"new", dir}, args...)...).want(t, 2)
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v made a folder", args)
		}
	}
}

func TestSiteNameComesFromTheFolderName(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{"über-uns": "Über uns", "ñandú": "Ñandú", "文档": "文档", "éa_b.c": "Éa b c",
		"x": "X", "<>": ""} {
		if got := nameOf(filepath.Join("/somewhere", dir)); got != want {
			t.Errorf("%q: %q", dir, got)
		}
	}
}
