package codespan_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
)

func TestTextCannotLeaveItsCodeSpan(t *testing.T) {
	for text, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "a``b`c": "```a``b`c```", "`a": "`` `a ``",
		"a`": "`` a` ``", "a\nb": "`a b`", "a\r\n\r\nb": "`a    b`", `a\`: "`a\\`", "": "`  `"} {
		if got := codespan.Of(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
