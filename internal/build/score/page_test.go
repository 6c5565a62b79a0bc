package score

import (
	"net/http"
	"strings"
	"testing"
)

// Only the first sample in the side panel counts. Within the text, all tabs count.
func TestOnlyFirstSampleInSidePanelCounts(t *testing.T) {
	panel := func(words, more string) string {
		return `<div role="tabpanel"` + more + "><pre>" + words + "</pre></div>"
	}
	body := "<article><p>prose</p>" + panel("inactive-tab", "") + "<p data-platform>label</p><aside>" +
		panel("first-sample", " data-active") +
		panel("other-sample", "") + "<p>note</p></aside></article>"
	p := newPage("/", Response{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body)})
	if got, want := strings.Join(strings.Fields(p.text), " "), "prose inactive-tab first-sample note"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPIDescriptionIsNotCountedAsProse(t *testing.T) {
	got := prose(
		"# Delete\n\nDeletes it.\n\n## OpenAPI\n\n````json\n{\"secretword\": \"```\"}\n````\n\nRelated words.\n")
	if strings.Contains(got, "secretword") || !strings.Contains(got, "Deletes it.") ||
		!strings.Contains(got, "Related words.") {
		t.Errorf("%q", got)
	}
}
