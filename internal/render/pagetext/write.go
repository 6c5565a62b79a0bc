package pagetext

import (
	"bytes"
	"html"
)

// write adds text to the heading, the code or the section.
func (r *reader) write(raw []byte) {
	switch {
	case r.pre > 0:
		r.code = append(r.code, plain(raw)...)
	case r.named != "":
		r.head = appendWords(r.head, plain(raw))
	default:
		r.text = appendWords(r.text, plain(raw))
	}
}

// plain decodes entities.
func plain(raw []byte) []byte {
	if bytes.IndexByte(raw, '&') < 0 {
		return raw
	}
	return []byte(html.UnescapeString(string(raw)))
}

// appendWords appends text with collapsed white space.
func appendWords(to, text []byte) []byte {
	for len(text) > 0 {
		i := 0
		for i < len(text) && text[i] > ' ' {
			i++
		}
		to, text = append(to, text[:i]...), text[i:]
		for i = 0; i < len(text) && text[i] <= ' '; i++ {
		}
		if text = text[i:]; i > 0 && len(to) > 0 && to[len(to)-1] > ' ' {
			to = append(to, ' ')
		}
	}
	return to
}

// endBlock separates the following text from the text so far.
func (r *reader) endBlock() {
	if r.named != "" {
		r.head = appendWords(r.head, []byte{' '})
		return
	}
	switch n := len(r.text); {
	case n == 0 || r.text[n-1] == '\n':
	case r.text[n-1] == ' ':
		r.text[n-1] = '\n'
	default:
		r.text = append(r.text, '\n')
	}
}
