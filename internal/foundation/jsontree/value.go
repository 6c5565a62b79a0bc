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

// String returns the name of the kind for messages, with its article.
func (k Kind) String() string { return kindNames[k] }

// Document is one parsed file.
type Document struct {
	Name  string // path in the docs folder, or a URL
	Root  *Value
	Loose bool     // contains comments, trailing commas or tabs in strings, which JSON does not allow
	Twice []Member // the first few repeated keys; the last value is used
}

// Value is one value with its position. Members keep their order, and their keys are unique. Values may be shared,
// so only the creator of a tree may change it.
type Value struct {
	Kind    Kind
	Str     string // content of a String; a Number as written; "true" or "false"
	Items   []*Value
	Members []Member  // add with Set
	Doc     *Document // nil for values that do not come from a file
	Line    int32     // from 1; 0 = not from a file
	Column  int32

	index map[string]int32 // index of Members by key, if there are many
}

// Member is one key of an Object. Line and Column are the position of the key.
type Member struct {
	Key          string
	Value        *Value
	Line, Column int32
}

// indexed is the minimum number of members for which lookups use a map.
const indexed = 24

// Get returns the value of a key, or nil. A nil Value has no members, so lookups can be chained.
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

// Set adds a member. If the key exists, it replaces the member and returns true.
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

// Text returns a scalar as text. It returns "" for lists, objects and null.
func (v *Value) Text() string {
	if v == nil || v.Kind == List || v.Kind == Object || v.Kind == Null {
		return ""
	}
	return v.Str
}

// Texts returns the scalars of a list, or a single scalar as a list, without empty strings.
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

// Is reports whether v is of the given kind. It returns false if v is nil.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Pos returns the position of the value for a finding, or the zero Pos without a document.
func (v *Value) Pos() diag.Pos {
	if v == nil || v.Doc == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: v.Doc.Name, Line: int(v.Line), Column: int(v.Column)}
}

// Pos returns the position of the key for a finding.
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
