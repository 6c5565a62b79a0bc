package highlight

import (
	"strings"
	"testing"
)

// Text that leads rules on and never ends: no lexer of ours may need the clock to get out of it.
func TestOwnLexersHandleUnclosedTokens(t *testing.T) {
	h := New(0)
	for _, own := range ownLexers() {
		name := own.Config().Name
		for _, piece := range []string{"/*", "<!--", "<%", "/[", "`${", "${", "\"", "'''", "a<b ", "{", "<a b={",
			"<<E\n", "0x", "a:", "**a"} {
			code := strings.Repeat(strings.Repeat(piece, 1000/len(piece))+"\n", 8)
			m := newMeter(len(code))
			_, ok := h.languages[name].tokens(code, "root", m, false)
			if deep := strings.Contains(piece, "{"); !ok && !deep { // what nests thousands deep may be given up
				t.Errorf("%s gave up on %q", name, piece)
			}
			if m.late.Load() {
				t.Errorf("%s was too slow on %q", name, piece)
			}
			m.stop()
		}
	}
}
