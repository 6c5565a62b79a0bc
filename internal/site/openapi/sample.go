package openapi

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Way is the direction of a body: request or response.
type Way int

const (
	Request  Way = iota // without readOnly members
	Answer              // without writeOnly members
	Anything            // with all members
)

const (
	sampleMax   = 400 // number of values in a generated body
	sampleDepth = 7
)

// sampler generates a value that matches a schema.
type sampler struct {
	way      Way
	required bool // required members only
	left     int
}

// Sample generates a value that matches the schema. It uses the author's examples, defaults and allowed values. If
// onlyRequired is set, it omits optional members.
func (s *Schema) Sample(way Way, onlyRequired bool) *jsontree.Value {
	m := &sampler{way: way, required: onlyRequired, left: sampleMax}
	return m.value(s, "", 0)
}

func (m *sampler) value(s *Schema, name string, depth int) *jsontree.Value {
	if m.left--; s == nil || m.left < 0 {
		return &jsontree.Value{}
	}
	for _, given := range []*jsontree.Value{s.Const, s.Example, s.Default} {
		if given != nil && (given.Kind != jsontree.Null || s.Nullable) {
			return given
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0].Value
	case s.Base == "array":
		return m.list(s, depth)
	case len(s.Properties) > 0 || s.Base == "object" || s.Additional != nil:
		return m.object(s, depth)
	case len(s.Options) > 0 && depth < sampleDepth:
		return tag(m.value(s.Options[0], name, depth+1), s)
	}
	return m.scalar(s)
}

func (m *sampler) list(s *Schema, depth int) *jsontree.Value {
	v := &jsontree.Value{Kind: jsontree.List}
	if s.Items != nil && !s.Recursive && !s.Items.Recursive && depth < sampleDepth {
		v.Items = []*jsontree.Value{m.value(s.Items, "", depth+1)}
	}
	return v
}

func (m *sampler) object(s *Schema, depth int) *jsontree.Value {
	v := &jsontree.Value{Kind: jsontree.Object}
	if depth >= sampleDepth {
		return v
	}
	seen := map[string]bool{}
	add := func(from *Schema) {
		for _, p := range from.Properties {
			if p.Pattern || seen[p.Name] || p.Schema.ReadOnly && m.way == Request ||
				p.Schema.WriteOnly && m.way == Answer ||
				m.required && !p.Required || p.Schema.Recursive && !p.Required || m.left < 0 {
				continue
			}
			seen[p.Name] = true
			v.Members = append(v.Members, jsontree.Member{Key: p.Name, Value: m.value(p.Schema, p.Name, depth+1)})
		}
	}
	add(s)
	if len(s.Options) > 0 {
		add(s.Options[0])
		tag(v, s)
	}
	if s.Additional != nil && len(v.Members) == 0 && !m.required && !s.Additional.Recursive {
		v.Members = append(v.Members, jsontree.Member{Key: "key", Value: m.value(s.Additional, "", depth+1)})
	}
	return v
}

// tag sets the discriminator of an object that was generated from the first alternative of s. It does not change values
// that come from the author.
func tag(v *jsontree.Value, s *Schema) *jsontree.Value {
	if word := s.Options[0].Tagged; word != "" && s.Discriminator != "" && v.Doc == nil {
		for i := range v.Members {
			if v.Members[i].Key == s.Discriminator {
				v.Members[i].Value = jsontree.NewString(word)
			}
		}
	}
	return v
}

func (m *sampler) scalar(s *Schema) *jsontree.Value {
	switch s.Base {
	case "integer", "number":
		if low := s.keys["minimum"]; low.Is(jsontree.Number) {
			return low
		}
		if high := s.keys["maximum"]; high.Is(jsontree.Number) && !strings.HasPrefix(high.Str, "-") {
			return high
		}
		return &jsontree.Value{Kind: jsontree.Number,
			Str: map[bool]string{true: "1", false: "1.5"}[s.Base == "integer"]}
	case "boolean":
		return &jsontree.Value{Kind: jsontree.Bool, Str: "true"}
	case "null":
		return &jsontree.Value{}
	case "object":
		return &jsontree.Value{Kind: jsontree.Object}
	}
	if s.File() {
		return jsontree.NewString("<file>")
	}
	return jsontree.NewString(placeholder(s.Format))
}

// placeholder returns a sample text for a known format.
func placeholder(format string) string {
	switch format {
	case "date-time":
		return "2026-01-31T09:30:00Z"
	case "date":
		return "2026-01-31"
	case "time":
		return "09:30:00Z"
	case "duration":
		return "PT15M"
	case "email", "idn-email":
		return "user@example.com"
	case "uuid", "guid":
		return "123e4567-e89b-12d3-a456-426614174000"
	case "uri", "url", "iri":
		return "https://example.com"
	case "hostname":
		return "example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "byte":
		return "aGVsbG8="
	}
	return "<string>"
}
