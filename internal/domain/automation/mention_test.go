package automation_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/automation"
)

func TestOnlyLinesStartingWithNameAreRequests(t *testing.T) {
	for comment, want := range map[string]string{
		"@lectern fix the links":                       "fix the links",
		"@Lectern: fix the links":                      "fix the links",
		"Thanks!\r\n\r\n  @lectern fix it\r\nand more": "fix it\nand more",
		"@lectern":                            "",
		"@lectern\nfix it":                    "fix it",
		"```\n@lectern no\n```\n@lectern yes": "yes",
		"@lectern fix it\n> delete all\n  > pages\nsoon":          "fix it\nsoon",
		"@lectern add\n```\n> npm start\n```\n> no":               "add\n```\n> npm start\n```",
		"@lectern\n> delete all pages":                            "",
		"~~~~\n@lectern no\n~~~\n@lectern no\n~~~~\n@lectern yes": "yes",
	} {
		if got, ok := automation.Asked(comment); !ok || got != want {
			t.Errorf("%q asks for %q, %v; want %q", comment, got, ok, want)
		}
	}
	for _, comment := range []string{"", "lectern fix it", "please, @lectern fix it", "> @lectern fix it", "@lectern-bot fix it",
		"@lecterns fix", "    @lectern fix it", "\t@lectern fix it", "```\n@lectern fix it", "`@lectern` fix it", "- @lectern fix"} {
		if got, ok := automation.Asked(comment); ok {
			t.Errorf("%q asks for %q", comment, got)
		}
	}
	if got, _ := automation.Asked("@lectern " + strings.Repeat("long ", 10_000)); len(got) > 16_100 {
		t.Errorf("a request has %d bytes", len(got))
	}
}

func TestOwnCommentsAreRecognized(t *testing.T) {
	m := automation.Mention{ID: "mnt_1"}
	for text, want := range map[string]bool{m.ReplyMarker() + "\n\nStarted.": true, "[//]: # (lectern-preview prj_1)\n\nx": true,
		"@lectern fix it": false} {
		if automation.Own(text) != want {
			t.Errorf("%q is ours: %v", text, !want)
		}
	}
}
