package apisample

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Request is the request that a sample sends.
type Request struct {
	Method  string // upper case
	URL     string // complete, with the query
	Headers []Header
	Body    Body
}

// Header is one header of the request.
type Header struct{ Name, Value string }

// Kind is the encoding of a body.
type Kind int

const (
	None Kind = iota
	JSON
	Text      // unchanged
	Form      // application/x-www-form-urlencoded
	Multipart // multipart/form-data
	File      // the content of one file
)

// Body is the body of the request. Type is the media type; the other fields depend on Kind.
type Body struct {
	Kind   Kind
	Type   string
	Value  *jsontree.Value // JSON
	Text   string          // Text
	Fields []Field         // Form, Multipart
}

// Field is a field of a form. If File is set, Value is the name of a file.
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

// headers returns the request's headers, including Content-Type. It is omitted for multipart bodies, because
// libraries add it with a boundary.
func (r Request) headers() []Header {
	if r.Body.Kind == None || r.Body.Kind == Multipart || r.Body.Type == "" {
		return r.Headers
	}
	return append(r.Headers[:len(r.Headers):len(r.Headers)], Header{"Content-Type", r.Body.Type})
}

// escape percent-encodes a form value, but keeps placeholders readable.
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

// Query returns name=value for the query of a URL.
func Query(name, value string) string { return escape(name) + "=" + escape(value) }
