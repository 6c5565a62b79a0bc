package jsontree

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	writeMax   = 64 << 10 // approximate maximum size of the output of JSON in bytes; an ellipsis replaces the rest
	writeDepth = 200
)

// JSON encodes the value with an indentation of two spaces, in source order. It stops at 64 KiB.
func (v *Value) JSON() string { return v.JSONUpTo(writeMax) }

// JSONUpTo is like JSON with a different limit, in bytes.
func (v *Value) JSONUpTo(most int) string {
	var b strings.Builder
	v.write(&b, "\n", most)
	return b.String()
}

func (v *Value) write(b *strings.Builder, indent string, most int) {
	if b.Len() > most || len(indent) > 2*writeDepth {
		b.WriteString(`"…"`)
		return
	}
	switch {
	case v == nil || v.Kind == Null:
		b.WriteString("null")
	case v.Kind == String:
		Quote(b, v.Str)
	case v.Kind == List:
		list(b, indent, "[]", v.Items, most, func(item *Value) { item.write(b, indent+"  ", most) })
	case v.Kind == Object:
		list(b, indent, "{}", v.Members, most, func(m Member) {
			Quote(b, m.Key)
			b.WriteString(": ")
			m.Value.write(b, indent+"  ", most)
		})
	default:
		b.WriteString(v.Str)
	}
}

// list writes parts between two brackets, one per line.
func list[T any](b *strings.Builder, indent, brackets string, parts []T, most int, write func(T)) {
	if len(parts) == 0 {
		b.WriteString(brackets)
		return
	}
	mark := brackets[:1]
	for _, part := range parts {
		b.WriteString(mark + indent + "  ")
		write(part)
		if mark = ","; b.Len() > most {
			break
		}
	}
	b.WriteString(indent + brackets[1:])
}

// Quote writes a JSON string, which is also a valid YAML string in double quotes. It does not escape characters above
// ASCII, because the output is for people, nor < and &, because HTML is escaped elsewhere.
func Quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r == utf8.RuneError || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xfeff:
			b.WriteString(`\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
