package highlight

import (
	"strings"
	"testing"
)

// Our own lexers must finish on unclosed tokens without relying on the time limit.
func TestOwnLexersHandleUnclosedTokens(t *testing.T) {
	h := New(0)
	for _, own := range ownLexers() {
		name := own.Config().Name
		for _, piece := range []string{"/*", "<!--", "<%", "/[", "`${", "${", "\"", "'''", "a<b ", "{", "<a b={",
			"<<E\n", "0x", "a:", "**a"} {
			code := strings.Repeat(strings.Repeat(piece, 1000/len(piece))+"\n", 8)
			m := newMeter(len(code))
			_, ok := h.languages[name].tokens(code, "root", m, false)
			if deep := strings.Contains(piece, "{"); !ok && !deep { // the lexer may give up on text nested thousands deep
				t.Errorf("%s gave up on %q", name, piece)
			}
			if m.late.Load() {
				t.Errorf("%s was too slow on %q", name, piece)
			}
			m.stop()
		}
	}
}
