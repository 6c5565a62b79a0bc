package assistant

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// schemes are prefixes that renderers turn into links anywhere in a text.
var schemes = []string{"https://", "http://", "ftp://", "www."}

// inline handles the start of a line of text.
func (c *cleaner) inline(final bool) bool {
	i := special(c.pending)
	if i < 0 {
		keep := 0
		if !final {
			keep = max(unsure(c.pending), len(c.pending)-len(strings.TrimRight(c.pending, "]")))
		}
		if n := len(c.pending) - keep; n > 0 {
			return c.take(n, c.pending[:n])
		}
		return false
	}
	if i > 0 {
		return c.take(i, c.pending[:i])
	}
	switch c.pending[0] {
	case '\n':
		c.take(1, "\n")
		c.inLine = false
		return true
	case '\\':
		return c.escape(final)
	case '`':
		return c.codeSpan(final)
	case '<':
		return c.tag(final)
	case '!', '[':
		return c.bracket(final)
	}
	return c.bareAddress(final)
}

// special returns the position of the next character that needs handling, or -1 if there is none.
func special(s string) int {
	at := strings.IndexAny(s, "\n\\`<[")
	if i := strings.Index(s, "!["); i >= 0 && (at < 0 || i < at) {
		at = i
	}
	end := len(s)
	if at >= 0 {
		end = at
	}
	for i := range end {
		if begins(s[i:]) {
			return i
		}
	}
	return at
}

func begins(s string) bool {
	switch s[0] | 0x20 {
	case 'h', 'f', 'w':
	default:
		return false
	}
	for _, scheme := range schemes {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

const longestScheme = 8 // bytes

// joins reports whether concatenating two pieces would form a run of marks, a picture, a link, or an address across the
// boundary.
func joins(tail, s string) bool {
	if tail == "" {
		return false
	}
	switch last := tail[len(tail)-1]; {
	case (last == '`' || last == '~') && s[0] == last, last == '!' && s[0] == '[', last == ']' &&
		(s[0] == '(' || s[0] == ':'):
		return true
	}
	both := tail + s[:min(len(s), longestScheme)]
	for i := range len(tail) {
		for _, scheme := range schemes {
			if end := i + len(scheme); end > len(tail) && end <= len(both) && strings.EqualFold(both[i:end], scheme) {
				return true
			}
		}
	}
	return false
}

// unsure returns how many bytes at the end of s may become something else with the next piece.
func unsure(s string) int {
	if strings.HasSuffix(s, "!") {
		return 1
	}
	if n := len(s) - len(strings.TrimRight(s, "~")); n > 0 {
		return n
	}
	for _, scheme := range schemes {
		for n := min(len(scheme)-1, len(s)); n > 0; n-- {
			if strings.EqualFold(s[len(s)-n:], scheme[:n]) {
				return n
			}
		}
	}
	return 0
}

// escape forwards a backslash with the character that it escapes.
func (c *cleaner) escape(final bool) bool {
	switch {
	case len(c.pending) == 1 && !final:
		return false
	case len(c.pending) > 1 && c.pending[1] > ' ' && c.pending[1] < 0x7f:
		return c.take(2, c.pending[:2])
	}
	return c.take(1, `\`)
}

// codeSpan forwards code within a line.
func (c *cleaner) codeSpan(final bool) bool {
	line, whole := cutLine(c.pending)
	run := len(line) - len(strings.TrimLeft(line, "`"))
	for at := run; at < len(line); {
		i := strings.IndexByte(line[at:], '`')
		if i < 0 {
			break
		}
		at += i
		n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
		if at+n == len(line) && !whole && !final && n <= run {
			return false // the run may continue
		}
		if n == run {
			if span := line[:at+n]; !splits(span) {
				return c.take(len(span), span)
			}
			break
		}
		at += n
	}
	if !whole && !final && len(line) < waitFor {
		return false
	}
	return c.take(run, strings.Repeat("\\`", run))
}

// splits reports whether a table row would split code in two and thereby expose forbidden content.
func splits(span string) bool {
	return strings.Contains(span, "|") && (strings.ContainsAny(span, "<[!") || strings.Contains(span, "://") ||
		strings.Contains(strings.ToLower(span), "www."))
}

// tag turns text that would be HTML into code.
func (c *cleaner) tag(final bool) bool {
	if len(c.pending) == 1 && !final {
		return false
	}
	if len(c.pending) == 1 || strings.ContainsRune(" \t\n=-0123456789", rune(c.pending[1])) {
		return c.take(1, "<")
	}
	if !strings.ContainsRune("/!?abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", rune(c.pending[1])) {
		return c.take(1, `\<`) // the rest may be removed
	}
	line, whole := cutLine(c.pending)
	i := strings.IndexByte(line, '>')
	if i < 0 {
		if !whole && !final && len(line) < waitFor {
			return false
		}
		return c.take(1, `\<`)
	}
	inner := strings.ReplaceAll(line[:i+1], "`", "")
	if address := strings.Trim(inner, "<>"); begins(address) && c.allow(address) {
		return c.take(i+1, inner)
	}
	return c.take(i+1, "`"+inner+"`")
}

// bareAddress forwards an address, or shows it as code.
func (c *cleaner) bareAddress(final bool) bool {
	end := strings.IndexAny(c.pending, " \t\r\n<`|\"")
	if end < 0 {
		if !final && len(c.pending) < waitFor {
			return false
		}
		end = len(c.pending)
	}
	address := strings.TrimRight(c.pending[:end], ".,:;!?'*_~)]")
	if !begins(address+"x") || c.allow(address) {
		return c.take(max(len(address), 1), c.pending[:max(len(address), 1)])
	}
	return c.take(len(address), "`"+address+"`")
}

var numbers = lazyregexp.New(`^\d{1,3}(\s*[,;]\s*\d{1,3})*$`)

// citation returns the replacement for the numbers in brackets: the citations of places that were retrieved.
func (c *cleaner) citation(label string) string {
	var b strings.Builder
	for one := range strings.FieldsFuncSeq(label, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(one)
		if err != nil {
			continue
		}
		if shown, ok := c.cite(n); ok {
			b.WriteString("[" + strconv.Itoa(shown) + "]")
		}
	}
	return b.String()
}
