package jsontree

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// Kind is the type of a Value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"null", "true or false", "a number", "text", "a list", "an object"}

// String names the kind for authors, with its article.
func (k Kind) String() string { return kindNames[k] }

// Document is one parsed file.
type Document struct {
	Name  string // path in the docs folder, or a URL
	Root  *Value
	Loose bool     // it has comments, trailing commas or tabs in strings, which are not JSON
	Twice []Member // the first few repeated keys; the last value wins
}

// Value is one value, with its position. Members keep their order, and keys are unique. Values may be shared, so only
// the creator of a tree may change it.
type Value struct {
	Kind    Kind
	Str     string // a String; the spelling of a Number; "true" or "false"
	Items   []*Value
	Members []Member  // add with Set
	Doc     *Document // nil for values that were not read from a file
	Line    int32     // from 1; 0 = not read from a file
	Column  int32

	index map[string]int32 // of Members, when there are many
}

// Member is one key of an Object. Line and Column are the key's.
type Member struct {
	Key          string
	Value        *Value
	Line, Column int32
}

// indexed is the number of members from which lookups use a map.
const indexed = 24

// Get returns the member with this key, or nil. A nil Value has no members, so look-ups can be chained.
func (v *Value) Get(key string) *Value {
	if i := v.find(key); i >= 0 {
		return v.Members[i].Value
	}
	return nil
}

func (v *Value) find(key string) int {
	switch {
	case v == nil:
	case v.index != nil:
		if i, ok := v.index[key]; ok {
			return int(i)
		}
	default:
		for i := range v.Members {
			if v.Members[i].Key == key {
				return i
			}
		}
	}
	return -1
}

// Set adds a member, or replaces the one with its key: it reports which.
func (v *Value) Set(m Member) (replaced bool) {
	if i := v.find(m.Key); i >= 0 {
		v.Members[i] = m
		return true
	}
	v.Members = append(v.Members, m)
	switch {
	case v.index != nil:
		v.index[m.Key] = int32(len(v.Members) - 1)
	case len(v.Members) >= indexed:
		v.index = make(map[string]int32, 2*indexed)
		for i := range v.Members {
			v.index[v.Members[i].Key] = int32(i)
		}
	}
	return false
}

// Text returns a scalar as text; "" for lists, objects and null.
func (v *Value) Text() string {
	if v == nil || v.Kind == List || v.Kind == Object || v.Kind == Null {
		return ""
	}
	return v.Str
}

// Texts returns the scalars of a list, or one scalar as a list of one, without empty ones.
func (v *Value) Texts() (out []string) {
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

// True reports whether the value is true.
func (v *Value) True() bool { return v != nil && v.Kind == Bool && v.Str == "true" }

// Is reports whether v is not nil and of this kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Pos returns the value's position for a finding; the zero Pos without a document.
func (v *Value) Pos() diag.Pos {
	if v == nil || v.Doc == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: v.Doc.Name, Line: int(v.Line), Column: int(v.Column)}
}

// Pos returns the key's position for a finding.
func (m Member) Pos() diag.Pos {
	p := m.Value.Pos()
	p.Line, p.Column = int(m.Line), int(m.Column)
	return p
}

// NewString returns a String.
func NewString(s string) *Value { return &Value{Kind: String, Str: s} }

// NewObject returns an Object with members.
func NewObject(members ...Member) *Value {
	v := &Value{Kind: Object}
	for _, m := range members {
		v.Set(m)
	}
	return v
}
