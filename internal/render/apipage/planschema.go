package apipage

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// schemas returns the schemas of the graph. Maps are encoded with sorted keys, so that plans are reproducible.
func (w *planWriter) schemas() []map[string]any {
	out := make([]map[string]any, 0, len(w.graph.Nodes))
	for _, n := range w.graph.Nodes {
		out = append(out, w.schema(n))
	}
	return out
}

func (w *planWriter) schema(n openapi.Node) map[string]any {
	s := n.Schema
	m := map[string]any{"type": typeOf(n)}
	put(m, "format", clip.Bytes(s.Format, 60))
	put(m, "title", clip.Bytes(nameOf(s), 100))
	put(m, "description", w.text(s.Description))
	put(m, "discriminator", clip.Bytes(s.Discriminator, nameMax))
	put(m, "tagged", clip.Bytes(s.Tagged, nameMax))
	if len(s.Pattern) <= 500 { // a truncated pattern would match something else
		put(m, "pattern", s.Pattern)
	}
	for name, on := range map[string]bool{"nullable": s.Nullable, "readOnly": s.ReadOnly, "file": s.File()} {
		if on {
			m[name] = true
		}
	}
	for name, v := range map[string]*jsontree.Value{"const": s.Const, "default": s.Default, "example": s.Example} {
		if value := w.json(v); value != nil {
			m[name] = value
		}
	}
	w.enum(m, s)
	limits(m, s)
	children(m, n)
	return m
}

func put(m map[string]any, name, value string) {
	if value != "" {
		m[name] = value
	}
}

// nameOf returns the name of an alternative. If the alternative has no name, the script shows its type in its own
// words.
func nameOf(s *openapi.Schema) string {
	if s.Title != "" {
		return s.Title
	}
	return s.Name
}

// typeOf returns the type in the plan: a type of JSON Schema, or "any".
func typeOf(n openapi.Node) string {
	s := n.Schema
	switch {
	case len(s.More) > 0:
		return "any"
	case s.File():
		return "string"
	}
	switch s.Base {
	case "object", "array", "string", "integer", "number", "boolean", "null":
		return s.Base
	}
	switch {
	case len(n.Properties) > 0 || n.Additional >= 0:
		return "object"
	case s.Const != nil:
		return scalarType(s.Const)
	case len(s.Enum) > 0:
		return scalarType(s.Enum[0].Value)
	}
	return "any"
}

func scalarType(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.String:
		return "string"
	case jsontree.Number:
		return "number"
	case jsontree.Bool:
		return "boolean"
	}
	return "any"
}

func (w *planWriter) enum(m map[string]any, s *openapi.Schema) {
	var values []json.RawMessage
	for _, e := range s.Enum[:min(len(s.Enum), w.thrift.enum)] {
		if value := w.json(e.Value); value != nil {
			values = append(values, value)
		}
	}
	if len(values) > 0 {
		m["enum"] = values
	}
}

// limits adds numeric limits. For exclusive limits, OpenAPI 3.0 has a flag and 3.1 a separate key; plans use the flag.
func limits(m map[string]any, s *openapi.Schema) {
	for _, name := range []string{"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
		"multipleOf"} {
		if v := s.Field(name); v.Is(jsontree.Number) && number(v.Str) {
			m[name] = json.RawMessage(v.Str)
		}
	}
	for name, plain := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		switch v := s.Field(name); {
		case v.Is(jsontree.Number) && number(v.Str):
			m[plain], m[name] = json.RawMessage(v.Str), true
		case v.True() && m[plain] != nil:
			m[name] = true
		}
	}
}

// number reports whether s is a number that a browser can represent, in JSON syntax. JSON's number syntax is stricter
// than YAML's.
func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && len(s) <= 40 && json.Valid([]byte(s))
}

func children(m map[string]any, n openapi.Node) {
	var list []map[string]any
	for _, p := range n.Properties {
		if len(p.Name) > nameMax {
			continue
		}
		one := map[string]any{"name": p.Name, "schema": p.Node}
		if p.Required {
			one["required"] = true
		}
		list = append(list, one)
	}
	if list != nil {
		m["properties"] = list
	}
	for name, number := range map[string]int{"additional": n.Additional, "items": n.Items} {
		if number >= 0 {
			m[name] = number
		}
	}
	if len(n.Options) > 0 {
		m["options"] = n.Options
	}
}

// json returns a value of the description, or nil if there is none or it is too long. It does not truncate values,
// because a truncated value would be a different value.
func (t thrift) json(v *jsontree.Value) json.RawMessage {
	if v == nil || t.value == 0 || !brief(v, t.value) {
		return nil
	}
	text := []byte(v.JSON())
	if len(text) > 2*t.value || !json.Valid(text) {
		return nil
	}
	return text
}

// brief reports whether a value takes no more than most bytes. It estimates the size without encoding the value.
func brief(v *jsontree.Value, most int) bool { return weigh(v, most, 0) <= most }

func weigh(v *jsontree.Value, most, depth int) int {
	if v == nil {
		return 4
	}
	sum := len(v.Str) + 2
	if depth > 100 {
		return most + 1
	}
	for _, item := range v.Items {
		if sum += weigh(item, most, depth+1); sum > most {
			return sum
		}
	}
	for _, m := range v.Members {
		if sum += len(m.Key) + 3 + weigh(m.Value, most, depth+1); sum > most {
			return sum
		}
	}
	return sum
}

// plainText converts Markdown of a description to plain text.
func plainText(src string) string {
	return strings.Join(strings.Fields(ast.PlainText(markdown(src))), " ")
}
