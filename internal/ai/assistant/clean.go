package assistant

import (
	"errors"
	"strings"
)

// cleaner forwards Markdown as it arrives, and removes what a reader must not receive. It parses the text like a
// Markdown renderer. Where the two could disagree, it rewrites the text, so that what it treats as code is code for
// the renderer too.
//
//	fence	 opened by ``` or ~~~ at the beginning of a line, forwarded line by line, always closed
//	`code`	 within one line, forwarded unchanged; a backtick without a closing one is escaped
//	[n]	 a citation: renumbered in order of appearance, or removed
//	[a](b)	 a link: kept if b is allowed, otherwise replaced by a
//	![a](b)	 a picture: replaced by a
//	<tag>	 shown as code
//	https://… kept if allowed, otherwise shown as code
//
// Pieces may end anywhere; text that cannot be classified yet is buffered.
type cleaner struct {
	emit  func(string) error
	cite  func(n int) (shown int, ok bool)
	allow func(address string) bool
	guard *leakGuard // nil = nothing is kept secret

	pending string
	ready   string // cleaned, but not emitted yet
	inLine  bool   // part of the current line was forwarded
	fence   string // marks that opened the fence, with indentation; "" = no open fence
	indent  int
	tail    string // end of the text forwarded so far
	left    int    // bytes that may still follow
	err     error
}

// Reasons for ending an answer before the model does.
var (
	errFull = errors.New("answer reached its length limit")
	errLeak = errors.New("answer repeats the model's instructions")
)

// waitFor is the maximum length of a buffered construct, in bytes; a longer one is treated as text.
const waitFor = 2000

// write adds the next piece.
func (c *cleaner) write(piece string) {
	c.pending += piece
	for c.err == nil && c.pending != "" && c.step(false) {
	}
	c.flush()
}

// flush emits the text cleaned since the last flush as one piece. It does not emit text in which the model repeats its
// instructions.
func (c *cleaner) flush() {
	text := c.ready
	if c.ready = ""; text == "" || errors.Is(c.err, errLeak) {
		return
	}
	if err := c.emit(text); err != nil {
		c.err = err
	}
}

// end handles the buffered text and closes open constructs.
func (c *cleaner) end() {
	for c.err == nil && c.pending != "" {
		if !c.step(true) { // cannot happen: at the end everything can be classified
			c.take(1, c.pending[:1])
		}
	}
	c.pending = ""
	if c.fence != "" && c.err == nil {
		c.closeFence()
	}
	c.flush()
}

// step handles the start of the pending text. It returns false when it needs more text.
func (c *cleaner) step(final bool) bool {
	switch {
	case c.fence != "":
		return c.codeLine(final)
	case !c.inLine:
		return c.lineStart(final)
	}
	return c.inline(final)
}

// take replaces the first n buffered bytes with text and forwards it.
func (c *cleaner) take(n int, text string) bool {
	c.pending = c.pending[n:]
	c.put(text)
	return true
}

// put forwards text. Removing something between two pieces must not create a construct that neither contained.
func (c *cleaner) put(s string) {
	if s == "" || c.err != nil {
		return
	}
	if joins(c.tail, s) {
		s = " " + s
	}
	if len(s) > c.left {
		c.err = errFull
		return
	}
	c.left -= len(s)
	c.tail += s
	c.tail = c.tail[max(0, len(c.tail)-longestScheme):]
	c.inLine = !c.lineEnds()
	if c.guard != nil && c.guard.leaks(s) {
		c.err = errLeak
		return
	}
	c.ready += s
}

// lineStart checks whether the line opens a fence.
func (c *cleaner) lineStart(final bool) bool {
	rest := strings.TrimLeft(c.pending, " \t")
	if rest == "" && !final && len(c.pending) < waitFor {
		return false
	}
	mark := byte(0)
	if rest != "" && (rest[0] == '`' || rest[0] == '~') {
		mark = rest[0]
	}
	run := len(rest) - len(strings.TrimLeft(rest, string(mark)))
	if mark == 0 || run < 3 && run < len(rest) {
		c.inLine = true
		return true
	}
	line, whole := cutLine(rest)
	if !whole && !final && len(rest) < waitFor {
		return false
	}
	info := strings.TrimSpace(line[run:])
	if run < 3 || mark == '`' && strings.Contains(info, "`") || !whole && !final {
		c.inLine = true
		return true
	}
	// A renderer may not recognize a fence that is indented by more than three spaces.
	c.indent = min(len(strings.ReplaceAll(c.pending[:len(c.pending)-len(rest)], "\t", "    ")), 3)
	c.fence = rest[:run]
	return c.take(len(c.pending)-len(rest)+len(line), strings.Repeat(" ", c.indent)+c.fence+language(info)+"\n")
}

// language returns the first word after a fence's opening marks.
func language(info string) string {
	word, _, _ := strings.Cut(info, " ")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_+#.-", r) {
			return r
		}
		return -1
	}, word[:min(len(word), 40)])
}

// codeLine forwards a line of a fence.
func (c *cleaner) codeLine(final bool) bool {
	line, whole := cutLine(c.pending)
	if !whole && !final && len(line) < 2*waitFor {
		return false
	}
	rest := strings.TrimLeft(line, " \t")
	deep := len(strings.ReplaceAll(line[:len(line)-len(rest)], "\t", "    "))
	marks := strings.TrimRight(rest, " \t\r\n")
	switch {
	case len(marks) >= len(c.fence) && strings.Trim(marks, c.fence[:1]) == "" && marks != "":
		c.pending = c.pending[len(line):]
		c.closeFence()
		return true
	case deep < c.indent && marks != "": // the list that contains the fence ends here, and the fence with it
		c.closeFence()
		return true
	}
	return c.take(len(line), line)
}

func (c *cleaner) lineEnds() bool { return strings.HasSuffix(c.tail, "\n") }

func (c *cleaner) closeFence() {
	text := c.fenceEnd()
	c.fence = ""
	c.put(text)
	c.inLine = false
}

// fenceEnd returns the marks that close the open fence, or "" if no fence is open.
func (c *cleaner) fenceEnd() string {
	if c.fence == "" {
		return ""
	}
	text := strings.Repeat(" ", c.indent) + c.fence + "\n"
	if !c.lineEnds() {
		text = "\n" + text
	}
	return text
}

// cutLine returns the first line including its line end; whole reports whether it has one.
func cutLine(s string) (line string, whole bool) {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i+1], true
	}
	return s, false
}
