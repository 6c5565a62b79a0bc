package esm

import "strings"

// reader reads one statement word by word. After an error, the current word stays "".
type reader struct {
	src   string // up to the end of the statement
	start int    // of the statement
	pos   int    // offset after word
	at    int    // offset of word
	word  string // a name, a string with its quotes, or one other character; "" at the end
	open  bool   // a "/*" without an end was found, so no further comment is possible
	err   error
}

func (r *reader) fail(at int, message, hint string) {
	if r.err == nil {
		r.err = &Error{Offset: at, Message: message, Hint: hint}
	}
	r.word, r.pos = "", len(r.src)
}

func (r *reader) unexpected() {
	if r.word == "" {
		r.fail(r.start, "the statement is incomplete", "Complete the statement.")
		return
	}
	r.fail(r.at, "unexpected "+r.word, "After import and export statements, leave a blank line before text.")
}

// skip skips white space and comments.
func (r *reader) skip() {
	for r.pos < len(r.src) {
		rest := r.src[r.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			r.pos++
		case strings.HasPrefix(rest, "//"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				r.pos += end
			} else {
				r.pos = len(r.src)
			}
		case strings.HasPrefix(rest, "/*") && !r.open:
			end := strings.Index(rest[2:], "*/")
			if r.open = end < 0; r.open { // it is part of a regular expression; do not search for the end again
				return
			}
			r.pos += 2 + end + 2
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\ufeff"):
			r.pos += len(rest) - len(strings.TrimLeft(rest, "\u00a0\ufeff"))
		default:
			return
		}
	}
}

// next reads a word.
func (r *reader) next() {
	if r.err != nil {
		return
	}
	r.skip()
	r.at = r.pos
	if r.word = ""; r.pos >= len(r.src) {
		return
	}
	switch c := r.src[r.pos]; {
	case c == '"' || c == '\'':
		end := strings.IndexByte(r.src[r.pos+1:], c)
		if end < 0 {
			r.fail(r.at, "the string is not closed", "")
			return
		}
		r.pos += end + 2
	case isWord(c):
		for r.pos < len(r.src) && isWord(r.src[r.pos]) {
			r.pos++
		}
	default:
		r.pos++
	}
	r.word = r.src[r.at:r.pos]
}

func (r *reader) accept(word string) bool {
	if r.word != word || r.word == "" {
		return false
	}
	r.next()
	return r.err == nil
}

func (r *reader) expect(word string) {
	if !r.accept(word) {
		r.unexpected()
	}
}

// name reads a name.
func (r *reader) name() string {
	w := r.word
	if w == "" || !isWord(w[0]) || '0' <= w[0] && w[0] <= '9' {
		r.unexpected()
		return ""
	}
	r.next()
	return w
}

// text reads a string and returns its content. It does not decode escapes, because module names have none.
func (r *reader) text() string {
	w := r.word
	if len(w) < 2 || w[0] != '"' && w[0] != '\'' {
		r.unexpected()
		return ""
	}
	r.next()
	return w[1 : len(w)-1]
}

// end checks that only semicolons follow.
func (r *reader) end() {
	for r.accept(";") {
	}
	if r.err == nil && r.word != "" {
		r.unexpected()
	}
}

// source returns the statement as written, without surrounding white space.
func (r *reader) source() string { return strings.TrimSpace(r.src[r.start:]) }
