package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Schema is a view of a schema for readers: references followed, allOf merged, alternatives listed. It is a tree: where
// the description recurs, the inner place has Recursive set and no children.
type Schema struct {
	Name        string // of the component it is, "" when written in place
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
	Pre, Post   []string // labels around the name, from x-mint

	Properties    []Property
	Additional    *Schema // the values of keys that are not listed; nil = not said
	Items         *Schema // of an array; may be nil
	Options       []*Schema
	AnyOf         bool   // a value may be several of the Options at once
	Discriminator string // the property that distinguishes the Options
	Tagged        string // as an option: its value of the discriminator, when the description maps it

	Recursive bool // shown above already
	Cut       bool // a limit kept the children out
	Missing   bool // the reference leads nowhere

	keys map[string]*jsontree.Value // of the merged schema
	raw  *jsontree.Value            // as written; nil = anything
}

// Property is a member of an object. Pattern: Name is a regular expression for names.
type Property struct {
	Name     string
	Required bool
	Pattern  bool
	Schema   *Schema
}

// Enum is an allowed value and what it means.
type Enum struct {
	Value *jsontree.Value
	Note  string
}

// Field returns a key of the schema as written, such as an extension; nil when it has none.
func (s *Schema) Field(key string) *jsontree.Value { return s.keys[key] }

// Pos returns where the schema is written; zero for a nil schema, and if it is not known.
func (s *Schema) Pos() diag.Pos {
	if s == nil {
		return diag.Pos{}
	}
	return s.raw.Pos()
}

// Label names the schema among alternatives.
func (s *Schema) Label() string {
	for _, l := range []string{s.Title, s.Name, s.Tagged} {
		if l != "" {
			return l
		}
	}
	return s.Type()
}

// File reports whether the value of the schema is a file's content.
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

// Nested reports whether the schema has anything to open below it.
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

// unionShown is how many types of a union are written out.
const unionShown = 4

// union returns the types of the alternatives, each once: "string, integer or object Order".
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

// optionName returns the type of an alternative, an object with its name.
func (s *Schema) optionName(depth int) string {
	name := s.typeName(depth)
	if label := cmp.Or(s.Name, s.Title); label != "" && (name == "object" || name == "object[]") {
		return name + " " + label
	}
	return name
}
