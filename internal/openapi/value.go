package openapi

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Kind is what a Value holds.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

// Value is one value of a description, with its place. Members keep their order. Values may be shared (YAML aliases), so nobody changes one.
type Value struct {
	Kind    Kind
	Str     string // a String; the spelling of a Number; "true" or "false"
	Items   []*Value
	Members []Member
	Line    int32 // from 1; 0 = made by us
	Column  int32

	index map[string]int32 // of Members, when there are many
	doc   *document        // nil for values made by us
}

// Member is one key of an Object.
type Member struct {
	Key   string
	Value *Value
}

// indexed is the number of members from which a look-up goes through a map.
const indexed = 24

// Get returns the last member with this key, or nil. A nil Value has no members, so look-ups can be chained.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return v.Members[i].Value
		}
		return nil
	}
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Key == key {
			return v.Members[i].Value
		}
	}
	return nil
}

// finish makes the index of a large object. The last of two equal keys holds.
func (v *Value) finish() {
	if len(v.Members) < indexed {
		return
	}
	v.index = make(map[string]int32, len(v.Members))
	for i, m := range v.Members {
		v.index[m.Key] = int32(i)
	}
}

// Text is a scalar as text; "" for lists, objects and null.
func (v *Value) Text() string {
	if v == nil || v.Kind == List || v.Kind == Object || v.Kind == Null {
		return ""
	}
	return v.Str
}

// True tells whether the value is true.
func (v *Value) True() bool { return v != nil && v.Kind == Bool && v.Str == "true" }

// Float is a number's value.
func (v *Value) Float() (float64, bool) {
	if v == nil || v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Str, 64)
	return f, err == nil
}

// texts are the scalars of a list, or one scalar as a list of one.
func (v *Value) texts() (out []string) {
	if v == nil {
		return nil
	}
	if v.Kind != List {
		if s := v.Text(); s != "" {
			return []string{s}
		}
		return nil
	}
	for _, item := range v.Items {
		if s := item.Text(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// is tells whether v is there and of this kind.
func (v *Value) is(k Kind) bool { return v != nil && v.Kind == k }

// pos is the value's place for a finding.
func (v *Value) pos() diag.Pos {
	if v == nil || v.doc == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: v.doc.name, Line: int(v.Line), Column: int(v.Column)}
}

// NewString makes a text.
func NewString(s string) *Value { return &Value{Kind: String, Str: s} }

// NewObject makes an object of members.
func NewObject(members ...Member) *Value {
	v := &Value{Kind: Object, Members: members}
	v.finish()
	return v
}

// jsonMax bounds what JSON writes, in bytes; the rest is replaced by an ellipsis.
const jsonMax = 64 << 10

// JSON writes the value with two spaces of indentation, in the order it has. It stops at 64 KiB.
func (v *Value) JSON() string {
	var b strings.Builder
	v.write(&b, "\n")
	return b.String()
}

func (v *Value) write(b *strings.Builder, indent string) {
	if b.Len() > jsonMax || len(indent) > 2*maxDepth {
		b.WriteString(`"…"`)
		return
	}
	switch {
	case v == nil || v.Kind == Null:
		b.WriteString("null")
	case v.Kind == String:
		quote(b, v.Str)
	case v.Kind == List:
		v.writeList(b, indent)
	case v.Kind == Object:
		v.writeObject(b, indent)
	default:
		b.WriteString(v.Str)
	}
}

func (v *Value) writeList(b *strings.Builder, indent string) {
	if len(v.Items) == 0 {
		b.WriteString("[]")
		return
	}
	for i, item := range v.Items {
		b.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		b.WriteString(indent + "  ")
		item.write(b, indent+"  ")
		if b.Len() > jsonMax {
			break
		}
	}
	b.WriteString(indent + "]")
}

func (v *Value) writeObject(b *strings.Builder, indent string) {
	if len(v.Members) == 0 {
		b.WriteString("{}")
		return
	}
	for i, m := range v.Members {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.WriteString(indent + "  ")
		quote(b, m.Key)
		b.WriteString(": ")
		m.Value.write(b, indent+"  ")
		if b.Len() > jsonMax {
			break
		}
	}
	b.WriteString(indent + "}")
}

// quote writes a JSON string. Characters above ASCII stay as they are; < and & too: this is for readers, and HTML is escaped elsewhere.
func quote(b *strings.Builder, s string) {
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
		case r < 0x20 || r == utf8.RuneError || r == 0x7f:
			b.WriteString(`\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
