package apichange

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site/openapi"
)

func content(b *openapi.Body) []openapi.Media {
	if b == nil {
		return nil
	}
	return b.Content
}

// field is a property at any depth of a body.
type field struct {
	required, readOnly, writeOnly bool
	schema                        *openapi.Schema
}

// fields holds the properties of a body, keyed by paths such as "items[].name". If a body has alternatives, it holds
// the properties of all of them.
type fields struct {
	fields map[string]field
	ends   map[string]bool // paths below which the fields are incomplete, because of recursion or a limit
}

func fieldsOf(media []openapi.Media) fields {
	f := fields{fields: map[string]field{}, ends: map[string]bool{}}
	for _, m := range media {
		f.add("", m.Schema, false)
	}
	return f
}

// add adds the properties of a schema. optional is set for alternatives: a property that only one alternative requires
// is not required in every value.
func (f fields) add(at string, s *openapi.Schema, optional bool) {
	if s == nil {
		return
	}
	if s.Recursive || s.Cut || s.Missing {
		f.ends[at] = true
		return
	}
	for _, p := range s.Properties {
		if p.Pattern || p.Schema == nil {
			continue
		}
		name := strings.TrimPrefix(at+"."+p.Name, ".")
		f.fields[name] = field{required: p.Required && !optional, readOnly: p.Schema.ReadOnly,
			writeOnly: p.Schema.WriteOnly, schema: p.Schema}
		f.add(name, p.Schema, optional)
	}
	f.add(at+"[]", s.Items, optional)
	f.add(at+"{}", s.Additional, optional)
	for _, o := range s.Options {
		f.add(at, o, true)
	}
}

// hides reports whether a field may exist even though it is not listed.
func (f fields) hides(name string) bool {
	for end := range f.ends {
		if end == "" || strings.HasPrefix(name, end) {
			return true
		}
	}
	return false
}

// has reports whether a path is listed. This is always true for the body itself.
func (f fields) has(name string) bool {
	name = strings.TrimRight(name, "[]{}")
	_, ok := f.fields[name]
	return ok || name == ""
}

// parent returns the path of the object that contains a field.
func parent(name string) string {
	return name[:max(strings.LastIndexByte(name, '.'), 0)]
}
