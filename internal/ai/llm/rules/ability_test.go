package rules

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of requests into the guide")

const guide = "../../../../docs/guides/agent-builtin.mdx"

// table formats the abilities as the table in the guide.
func table() string {
	var b strings.Builder
	b.WriteString("| Request | What happens | Also |\n|---|---|---|\n")
	for _, a := range Abilities() {
		var also []string
		for _, s := range a.Also {
			also = append(also, "`"+s+"`")
		}
		b.WriteString("| `" + a.Request + "` | " + a.Result + " | " + strings.Join(also, ", ") + " |\n")
	}
	return b.String()
}

func TestGuideListsTheAbilities(t *testing.T) {
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	start := strings.Index(text, "| Request |")
	end := start + strings.Index(text[max(start, 0):], "\n\n") + 1
	if start < 0 || end <= start {
		t.Fatal("the guide has no table of requests")
	}
	switch want := table(); {
	case text[start:end] == want:
	case *update:
		if err := os.WriteFile(guide, []byte(text[:start]+want+text[end:]), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of the guide differs from the list; run the test with -update")
	}
}

// Every request in the list, and every alternative wording, is understood completely.
func TestAbilitiesAreUnderstood(t *testing.T) {
	for _, a := range Abilities() {
		for _, request := range append([]string{a.Request}, a.Also...) {
			if got := theGrammar().read(request); len(got.tasks) != 1 || len(got.unclear)+len(got.asks) > 0 {
				t.Errorf("%q: %s, unclear %q, asks %q", request, short(got.tasks), got.unclear, got.asks)
			}
		}
	}
}
