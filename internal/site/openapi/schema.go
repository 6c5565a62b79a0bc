package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Schema is a view of a schema for readers, with references followed, allOf merged, and alternatives listed. It is a
// tree. Where the description is recursive, the inner occurrence of the schema has no children and Recursive is set.
type Schema struct {
	Name        string // name of the component; "" = defined in place
	Title       string
	Description string // Markdown
	Base        string // "object", "array", "string", "number", "integer", "boolean", "null"; "" = anything
	More        []string
	Format      string
	Pattern     string
	Nullable    bool
	Deprecated  bool
	ReadOnly    bool
	WriteOnly   bool
	Enum        []Enum
	Const       *jsontree.Value
	Default     *jsontree.Value
	Example     *jsontree.Value
	Limits      []string // "x ≥ 1", "at most 20 characters"
	Pre, Post   []string // labels before and after the name, from x-mint

	Properties    []Property
	Additional    *Schema // schema of the values of unlisted keys; nil = not specified
	Items         *Schema // items of an array; may be nil
	Options       []*Schema
	AnyOf         bool   // a value may match several of the Options
	Discriminator string // the property that distinguishes the Options
	Tagged        string // for an option: its discriminator value, if the description maps it

	Recursive bool // already shown further up
	Cut       bool // children omitted because of a limit
	Missing   bool // the reference is broken

	keys map[string]*jsontree.Value // keys of the merged schema
	raw  *jsontree.Value            // as written; nil = anything
}

// Property is a member of an object. If Pattern is set, Name is a regular expression for names.
type Property struct {
	Name     string
	Required bool
	Pattern  bool
	Schema   *Schema
}

// Enum is an allowed value and its meaning.
type Enum struct {
	Value *jsontree.Value
	Note  string
}

// Field returns a key of the schema as written, such as an extension, or nil.
func (s *Schema) Field(key string) *jsontree.Value { return s.keys[key] }

// Pos returns the position of the schema in its file. It is zero if the schema is nil or its position is unknown.
func (s *Schema) Pos() diag.Pos {
	if s == nil {
		return diag.Pos{}
	}
	return s.raw.Pos()
}

// Label returns a name for the schema in a list of alternatives.
func (s *Schema) Label() string {
	for _, l := range []string{s.Title, s.Name, s.Tagged} {
		if l != "" {
			return l
		}
	}
	return s.Type()
}

// File reports whether a value of the schema is the content of a file.
func (s *Schema) File() bool {
	if s.Base == "file" {
		return true
	}
	media := s.keys["contentMediaType"].Text()
	text := media == "" || strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") ||
		strings.HasSuffix(media, "xml")
	return (s.Base == "string" || s.Base == "") &&
		(s.Format == "binary" || s.Format == "base64" && s.keys["contentEncoding"] == nil || !text)
}

// Nested reports whether the schema has children that can be expanded.
func (s *Schema) Nested() bool {
	if s == nil || s.Recursive || s.Cut {
		return false
	}
	return len(s.Properties) > 0 || len(s.Options) > 0 || s.Additional.Nested() || s.Items.Nested()
}

// Type returns the type as readers see it: string<uuid>, object[], enum<string> or null, string or object Order.
func (s *Schema) Type() string { return s.typeName(0) }

func (s *Schema) typeName(depth int) string {
	name := s.single(depth)
	for _, t := range s.More {
		name += " or " + t
	}
	if s.Nullable && name != "any" && name != "null" {
		name += " or null"
	}
	return name
}

func (s *Schema) single(depth int) string {
	switch {
	case s.Missing:
		return s.Name
	case s.File():
		return "file"
	case s.Base == "array" && s.Items != nil && depth < 4:
		item := s.Items.typeName(depth + 1)
		if strings.Contains(item, " or ") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case len(s.Options) > 0 && s.Base == "" && len(s.Properties) == 0 && depth < 4:
		return s.union(depth)
	case len(s.Enum) > 0 && s.Base != "":
		return "enum<" + s.Base + ">"
	case s.Base == "object" && s.Additional != nil && len(s.Properties) == 0 && s.Additional.Base != "" && depth < 4:
		return "map<string, " + s.Additional.typeName(depth+1) + ">"
	case s.Format != "" && s.Base != "" && len(s.Format) < 40:
		return s.Base + "<" + s.Format + ">"
	case s.Base != "":
		return s.Base
	case len(s.Properties) > 0 || s.Additional != nil:
		return "object"
	case s.Const != nil || len(s.Enum) > 0:
		return "const"
	}
	return "any"
}

// unionShown is the maximum number of types that are listed for a union.
const unionShown = 4

// union returns the types of the alternatives without duplicates: "string, integer or object Order".
func (s *Schema) union(depth int) string {
	var names []string
	for _, o := range s.Options {
		if n := o.optionName(depth + 1); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	last := len(names) - 1
	if len(names) > unionShown {
		last = unionShown - 1
		names[last] = strconv.Itoa(len(names)-last) + " more"
	}
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// optionName returns the type of an alternative. For an object it includes the name.
func (s *Schema) optionName(depth int) string {
	name := s.typeName(depth)
	if label := cmp.Or(s.Name, s.Title); label != "" && (name == "object" || name == "object[]") {
		return name + " " + label
	}
	return name
}
