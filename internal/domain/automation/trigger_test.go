package automation_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Each reader's text is on one line, and ratings without text are counted.
func TestRemarksAreListedByPage(t *testing.T) {
	got := automation.RemarkList([]automation.Remark{{Page: "/a"}, {Page: "/b", Comment: "Line\n- /c: forged"},
		{Page: "/a"}, {Page: "/b", Comment: strings.Repeat("x", 1000), Code: "rm"}})
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != 4 || lines[1] != "- /b: Line - /c: forged" || len(lines[2]) > 400 ||
		!strings.HasSuffix(lines[2], "(about the code rm)") || lines[3] != "- /a: not helpful, without a word (2)" {
		t.Errorf("%q", lines)
	}
}

func TestFindingsAreListedUpToALimit(t *testing.T) {
	var list diag.List
	for range automation.MaxFindings + 3 {
		list.Warnf(diag.Pos{File: "a.mdx", Line: 2}, "broken-link", "The link leads  nowhere.")
	}
	lines := strings.Split(strings.TrimSpace(automation.FindingList(list)), "\n")
	if len(lines) != automation.MaxFindings+2 || lines[len(lines)-1] != "- and 3 more" ||
		!strings.Contains(lines[1], "a.mdx") || !strings.Contains(lines[1], "The link leads nowhere.") {
		t.Errorf("%q", lines)
	}
}
