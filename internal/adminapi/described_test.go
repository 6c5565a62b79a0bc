package adminapi_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/adminapi"
)

// The guide names every operation that Idempotency-Key makes safe to repeat.
func TestTheGuideListsWhatCanBeRepeatedSafely(t *testing.T) {
	raw, err := os.ReadFile("../../docs/guides/api.mdx")
	must(t, err)
	_, rest, _ := strings.Cut(string(raw), "## Repeat a request safely")
	list, _, ok := strings.Cut(rest, "\n## ")
	if !ok {
		t.Fatal("the guide lacks the section")
	}
	parameters := regexp.MustCompile(`\{\w+\}(/\{\w+\})*`) // neighbours are one ellipsis
	for _, r := range adminapi.Routes() {
		if name := "`" + r.Method + " " + parameters.ReplaceAllString(r.Pattern, "…") + "`"; r.Idempotent != strings.Contains(list, name) {
			t.Errorf("%s: repeatable is %t, and the guide says otherwise", name, r.Idempotent)
		}
	}
}
