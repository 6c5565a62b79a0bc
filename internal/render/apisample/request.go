package apisample

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Request is what a sample sends.
type Request struct {
	Method  string // upper case
	URL     string // whole, with the query
	Headers []Header
	Body    Body
}

// Header is one header of the request.
type Header struct{ Name, Value string }

// Kind is how a body is written.
type Kind int

const (
	None Kind = iota
	JSON
	Text      // as it stands
	Form      // application/x-www-form-urlencoded
	Multipart // multipart/form-data
	File      // the content of one file
)

// Body is what the request carries. Type is the media type; the others depend on Kind.
type Body struct {
	Kind   Kind
	Type   string
	Value  *jsontree.Value // JSON
	Text   string          // Text
	Fields []Field         // Form, Multipart
}

// Field is one field of a form. Value is a file's name when File is set.
type Field struct {
	Name, Value string
	File        bool
}

// payload returns the body as text, for languages that send text.
func (b Body) payload() string {
	switch b.Kind {
	case JSON:
		return b.Value.JSON()
	case Text:
		return b.Text
	case Form:
		return b.encoded()
	}
	return ""
}

func (b Body) encoded() string {
	var parts []string
	for _, f := range b.Fields {
		parts = append(parts, escape(f.Name)+"="+escape(f.Value))
	}
	return strings.Join(parts, "&")
}

// headers returns the request's own and the one that says what the body is. Multipart bodies need a boundary, which
// libraries write themselves.
func (r Request) headers() []Header {
	if r.Body.Kind == None || r.Body.Kind == Multipart || r.Body.Type == "" {
		return r.Headers
	}
	return append(r.Headers[:len(r.Headers):len(r.Headers)], Header{"Content-Type", r.Body.Type})
}

// escape percent-encodes a form value, but leaves the marks of placeholders readable.
func escape(s string) string {
	const plain = "-._~<>{}:@/,"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(plain, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		}
	}
	return b.String()
}

// Query writes name=value for the query of an address.
func Query(name, value string) string { return escape(name) + "=" + escape(value) }
