package export_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/export"
)

func TestLabelIsTheShortIDOfTheContent(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	for commit, want := range map[string]string{
		digest[:40]: "0123456789ab", digest: "0123456789ab", "tree-" + digest: "tree-0123456789ab", "": "", "tree-": "", "abc": "abc",
	} {
		if got := export.Label(commit); got != want {
			t.Errorf("%q: %q, want %q", commit, got, want)
		}
	}
}

func TestOnlyALabelMadeFromContentFollowsIt(t *testing.T) {
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
