package cli

import (
	"strings"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/sarif"
)

// findingRules reads what the documentation says about each code. A test of the house holds the page and the code together.
func findingRules() map[string]sarif.Rule {
	rules := map[string]sarif.Rule{}
	page, err := docs.Site.ReadFile("reference/findings.mdx")
	if err != nil {
		return rules // the page is part of the program
	}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rules[strings.Trim(cells[1], "`")] = sarif.Rule{Severity: diag.Severity(cells[2]), Meaning: cells[3], Help: cells[4]}
	}
	return rules
}
