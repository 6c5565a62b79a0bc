package assistant

import "strings"

// bracket handles a citation, a link or a picture.
func (c *cleaner) bracket(final bool) bool {
	picture := c.pending[0] == '!'
	s := c.pending
	if picture {
		s = s[1:]
	}
	skip := len(c.pending) - len(s)
	line, whole := cutLine(s)
	wait := !whole && !final && len(line) < waitFor
	end := closing(line, '[', ']')
	if end < 0 {
		if wait {
			return false
		}
		return c.take(skip+1, c.pending[:skip]+`\[`)
	}
	label, after := line[1:end], line[end+1:]
	if after == "" && wait {
		return false
	}
	target, size := "", end+1
	if strings.HasPrefix(after, "(") {
		to := closing(after, '(', ')')
		if to < 0 && wait {
			return false
		}
		if to < 0 {
			return c.take(skip+1, c.pending[:skip]+`\[`)
		}
		target, size = after[1:to], end+1+to+1
	}
	shown := c.reference(label, target, picture, strings.HasPrefix(after, ":"))
	back := 0
	if !final {
		back = unsure(shown) // it may continue
	}
	c.pending = shown[len(shown)-back:] + c.pending[skip+size:]
	c.put(shown[:len(shown)-back])
	return true
}

// reference returns the replacement for a bracket. defines means that a colon follows, which would make it a link
// definition.
func (c *cleaner) reference(label, target string, picture, defines bool) string {
	if numbers.MatchString(strings.TrimSpace(label)) {
		shown := c.citation(label)
		if picture {
			shown = "! " + shown
		}
		if defines {
			shown += " "
		}
		return shown
	}
	plain := c.plain(label)
	address := destination(target)
	switch {
	case picture:
		return plain
	case address != "" && plain != "" && c.allow(address):
		return "[" + plain + "](" + address + ")"
	case target != "":
		return plain
	case defines:
		return `\[` + plain + "]"
	case plain == "":
		return "[ ]" // a task list check box
	}
	return "[" + plain + "]"
}

// plain returns a label without links, pictures and citations.
func (c *cleaner) plain(label string) string {
	var b strings.Builder
	inner := &cleaner{emit: func(s string) error { b.WriteString(s); return nil },
		cite:  func(int) (int, bool) { return 0, false },
		allow: func(string) bool { return false }, inLine: true, left: waitFor}
	if strings.Count(label, "[") > 3 { // not a real label: each bracket would be parsed again
		label = strings.NewReplacer("[", " ", "]", " ").Replace(label)
	}
	inner.write(label)
	inner.end()
	return strings.TrimSpace(strings.NewReplacer("\n", " ", "[", "", "]", "").Replace(b.String()))
}

// destination returns the address of a link without its delimiters, or "" if its form is not supported.
func destination(target string) string {
	t := strings.TrimSpace(target)
	if strings.HasPrefix(t, "<") {
		t, _, _ = strings.Cut(t[1:], ">")
	} else {
		t, _, _ = strings.Cut(t, " ")
	}
	if strings.ContainsAny(t, "\\<>()`\"'|") ||
		strings.ContainsFunc(t, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return ""
	}
	return t
}

// closing returns the position where the bracket at the start of s is closed, or -1 if it is not.
func closing(s string, open, end byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
