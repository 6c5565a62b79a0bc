package htmlbuf

import (
	"bytes"
	"strings"
)

// lit is the type of string constants in our code. The compiler does not accept string variables for it, so
// authors' text cannot be written unescaped.
type lit string

// Buffer collects HTML. The zero value is ready to use.
type Buffer struct{ buf bytes.Buffer }

// Raw writes constants verbatim.
func (b *Buffer) Raw(parts ...lit) {
	for _, p := range parts {
		b.buf.WriteString(string(p))
	}
}

var (
	inText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\x00", "\uFFFD")
	inAttr = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\x00", "\uFFFD")
)

// Text writes text.
func (b *Buffer) Text(s string) { _, _ = inText.WriteString(&b.buf, s) } // a bytes.Buffer never fails

// Attr writes name="value" with a space before it.
func (b *Buffer) Attr(name lit, value string) {
	b.buf.WriteByte(' ')
	b.buf.WriteString(string(name))
	b.buf.WriteString(`="`)
	_, _ = inAttr.WriteString(&b.buf, value) // a bytes.Buffer never fails
	b.buf.WriteByte('"')
}

// NamedAttr is like Attr, for a name that was checked against one of our lists or patterns, such as data-* and aria-*.
func (b *Buffer) NamedAttr(checked, value string) {
	b.buf.WriteByte(' ')
	b.buf.WriteString(checked)
	b.buf.WriteString(`="`)
	_, _ = inAttr.WriteString(&b.buf, value) // a bytes.Buffer never fails
	b.buf.WriteByte('"')
}

// AttrIf writes the attribute unless its value is "".
func (b *Buffer) AttrIf(name lit, value string) {
	if value != "" {
		b.Attr(name, value)
	}
}

// Flag writes an attribute without a value if on is set.
func (b *Buffer) Flag(name lit, on bool) {
	if on {
		b.buf.WriteByte(' ')
		b.buf.WriteString(string(name))
	}
}

// Trusted writes HTML that another rendering package has escaped: highlighted code, formulas, icons, a rendered body.
func (b *Buffer) Trusted(html []byte) { b.buf.Write(html) }

// Name writes the name of an element or attribute. The name must have been checked against one of our lists.
func (b *Buffer) Name(checked string) { b.buf.WriteString(checked) }

// Bytes returns the content; it is valid until the next write.
func (b *Buffer) Bytes() []byte { return b.buf.Bytes() }

// Len returns the number of bytes written.
func (b *Buffer) Len() int { return b.buf.Len() }

// Grow reserves space for n more bytes.
func (b *Buffer) Grow(n int) { b.buf.Grow(n) }

// Reset empties the buffer and keeps its memory.
func (b *Buffer) Reset() { b.buf.Reset() }

// Truncate drops everything after the first n bytes.
func (b *Buffer) Truncate(n int) { b.buf.Truncate(n) }

// Value writes ="value" after a name that Name wrote.
func (b *Buffer) Value(value string) {
	b.buf.WriteString(`="`)
	_, _ = inAttr.WriteString(&b.buf, value) // a bytes.Buffer never fails
	b.buf.WriteByte('"')
}
