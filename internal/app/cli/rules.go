package cli

import (
	"strings"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/sarif"
)

// URLs of the documentation for the program and its findings. They point to the repository, since each server has its
// own address.
const (
	repositoryURL = "https://github.com/lectern-docs/lectern"
	findingsURL   = repositoryURL + "/blob/main/docs/reference/findings.mdx"
)

// findingRules returns the documentation of each finding code. A layout test keeps the page and the code in sync.
func findingRules() map[string]sarif.Rule {
	rules := map[string]sarif.Rule{}
	page, err := docs.Site.ReadFile("reference/findings.mdx")
	if err != nil {
		return rules // cannot fail: the page is embedded
	}
	section := ""
	for line := range strings.Lines(string(page)) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(heading)
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rules[strings.Trim(cells[1], "`")] = sarif.Rule{
			Severity: diag.Severity(cells[2]), Section: section, Meaning: cells[3], Help: cells[4],
		}
	}
	return rules
}
