package export_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
)

func TestLabelIsShortContentID(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	for commit, want := range map[string]string{
		digest[:40]: "0123456789ab", digest: "0123456789ab", "tree-" + digest: "tree-0123456789ab", "": "", "tree-": "",
		"abc": "abc",
	} {
		if got := export.Label(commit, nil, nil); got != want {
			t.Errorf("%q: %q, want %q", commit, got, want)
		}
	}
}

func TestLabelDistinguishesPagesFromWholeSite(t *testing.T) {
	const commit = "0123456789abcdef"
	label := func(paths ...string) string { return export.Label(commit, paths, nil) }
	one := label("index")
	if !regexp.MustCompile(`^0123456789ab-p[0-9a-f]{8}$`).MatchString(one) {
		t.Errorf("one page: %q", one)
	}
	seen := map[string]bool{}
	for _, l := range []string{label(), one, label("guides/start"), label("a", "b"), label("a/b"), label("ab"),
		export.Label("tree-"+commit, []string{"index"}, nil)} {
		if seen[l] {
			t.Errorf("%q stands for two page lists", l)
		}
		seen[l] = true
	}
	if label("b", "a", "b") != label("a", "b") {
		t.Error("order or repetition changes the label")
	}
	if got := export.Label("", []string{"index"}, nil); got != "" {
		t.Errorf("label of unknown content: %q", got)
	}
}

func TestPageLabelChangesWithContent(t *testing.T) {
	paths := []string{"index"}
	j := export.Job{Version: export.Label("aaaaaaaaaaaaaaaa", paths, nil), Commit: "aaaaaaaaaaaaaaaa", Paths: paths}
	if got, want := j.LabelFor("bbbbbbbbbbbbbbbb"), export.Label("bbbbbbbbbbbbbbbb", paths, nil); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOnlyGeneratedLabelChangesWithContent(t *testing.T) {
	for name, c := range map[string]struct{ version, before, want string }{
		"not known yet":           {"", "", "bbbbbbbbbbbb"},
		"asked for":               {"v1", "", "v1"},
		"asked for, second try":   {"v1", "aaaaaaaaaaaaaaaa", "v1"},
		"of an attempt before it": {"aaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbb"},
	} {
		if got := (export.Job{Version: c.version, Commit: c.before}).LabelFor("bbbbbbbbbbbbbbbb"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
