package sitediff

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// state builds a folder of pages and returns its state.
func state(t *testing.T, files map[string]string) *State {
	t.Helper()
	src := fstest.MapFS{}
	for name, text := range files {
		src[name] = &fstest.MapFile{Data: []byte(text)}
	}
	into := NewRecorder()
	report, err := build.Build(t.Context(), src, into.Into(build.Options{}), into)
	if err != nil {
		t.Fatal(err)
	}
	return into.State(src, report)
}

func TestCompareWorksWithoutAnyRepository(t *testing.T) {
	t.Parallel()
	text := "---\ntitle: A\n---\n\nOne sentence.\n\nAnother sentence.\n\n## Part\n\nMore.\n"
	base := state(t, map[string]string{"docs.json": `{"name": "S"}`, "index.mdx": "# Home\n", "a.mdx": text, "b.mdx": "# B\n"})
	head := state(t, map[string]string{"docs.json": `{"name": "S"}`, "index.mdx": "# Home\n", "new/a.mdx": text})
	got, err := Compare(t.Context(), base, head, Options{Cause: func(_ context.Context, file, _ string) string {
		return "By " + file + "."
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Added) != 0 || len(got.Removed) != 1 || got.Removed[0].Address != "/b" ||
		len(got.Moved) != 1 || got.Moved[0].To.Address != "/new/a" || !got.Moved[0].Same {
		t.Errorf("%+v", got)
	}
	if len(got.Findings) != 2 || got.Findings[0].Code != "lost-address" || !strings.HasSuffix(got.Findings[0].Message, "By a.mdx.") ||
		!strings.HasSuffix(got.Findings[0].Hint, `{ "source": "/a", "destination": "/new/a" }`) {
		t.Errorf("%+v", got.Findings)
	}
	if same, err := Compare(t.Context(), base, base, Options{}); err != nil || len(same.Findings)+len(same.Removed) != 0 {
		t.Errorf("compared with itself: %+v, %v", same, err)
	}
	if first, err := Compare(t.Context(), state(t, nil), head, Options{}); err != nil || len(first.Added) != 2 {
		t.Errorf("compared with nothing: %+v, %v", first, err)
	}
}

func TestNewReturnsFindingsMissingFromBase(t *testing.T) {
	t.Parallel()
	finding := func(file string, line int, message string) diag.Diagnostic {
		return diag.Diagnostic{File: file, Line: line, Code: "c", Message: message}
	}
	base := diag.List{finding("a", 1, "x"), finding("old", 1, "x")}
	head := diag.List{finding("a", 7, "x"), finding("a", 9, "x"), finding("a", 9, "y"), finding("new", 3, "x")}
	fresh, known := New(base, head, []Move{{From: Page{File: "old"}, To: Page{File: "new"}}})
	if len(fresh) != 2 || fresh[0].Line != 9 || fresh[1].Message != "y" || len(known) != 2 {
		t.Errorf("new %v, known %v", fresh, known)
	}
}

func TestRenamedHeadingIsFoundByItsNeighbours(t *testing.T) {
	t.Parallel()
	before := []string{"a", "b", "c"}
	for _, c := range []struct {
		after []string
		want  string
	}{
		{[]string{"a", "x", "c"}, "x"}, {[]string{"a", "x", "y", "c"}, ""}, {[]string{"a", "c"}, ""},
		{[]string{"x", "c"}, ""}, {[]string{"c", "a"}, ""},
	} {
		if got := successor(before, c.after, 1); got != c.want {
			t.Errorf("%v: %q, want %q", c.after, got, c.want)
		}
	}
}
