package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// Links to the source need a repository. If there is none, a finding at the key in the site file says so.
func TestPagesLinkToSourceAndNewIssue(t *testing.T) {
	src := files(map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index", "ab:c"],
"feedback": {"suggestEdit": true, "raiseIssue": true},
"contextual": {"options": ["download-pdf"]}}`, "index.mdx": "Hi", "ab:c.mdx": "---\ntitle: A & B\n---\nx",
	})
	known := site.Repository{Web: "https://github.com/acme/docs", Branch: "main", Folder: "site", EditAt: "/edit{file}",
		IssueAt: "/issues/new?title={title}&body={text}"}
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, report := build(t, src, Options{Links: style, BaseURL: "https://docs.example", Repository: known})
		if len(report.Diagnostics) > 0 {
			t.Error(report.Diagnostics)
		}
		page := out.files["ab:c.html"]
		for _, want := range []string{
			`href="https://github.com/acme/docs/edit/main/site/ab:c.mdx">Suggest edits</a>`,
			`href="https://github.com/acme/docs/issues/new?title=Issue%20on%20docs%3A%20A%20%26%20B&amp;body=Path%3A%20https%3A%2F%2Fdocs.example%2Fab%3Ac">Raise an issue</a>`,
			`<button type="button" data-print><svg class="nav-icon" data-sign="own:download" aria-hidden="true"></svg><span class="face"><span data-label>Save as PDF</span></span></button>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
	}
	out, report := build(t, src, Options{})
	if strings.Contains(out.files["index.html"], "contribute") {
		t.Error("links without a repository")
	}
	var findings []string
	for _, d := range report.Diagnostics {
		findings = append(findings, d.String())
		if d.Hint == "" {
			t.Errorf("no hint: %s", d)
		}
	}
	want := `docs.json:2:29: warning: "feedback.suggestEdit" has no effect: the site's repository is unknown. [inapplicable-key]
docs.json:2:49: warning: "feedback.raiseIssue" has no effect: the site's repository is unknown. [inapplicable-key]`
	if got := strings.Join(findings, "\n"); got != want {
		t.Errorf("got\n%s", got)
	}
}
