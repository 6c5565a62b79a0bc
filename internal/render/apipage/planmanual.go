package apipage

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// This file reads the fields of a page that documents its operation itself, with ParamFields.

var (
	colon = lazyregexp.New(`/:([A-Za-z_][A-Za-z0-9_]*)`)
	brace = lazyregexp.New(`\{([^{}/]+)\}`)
)

// braced returns a path with its parameters in braces. Authors also write them with colons.
func braced(path string) string { return colon.ReplaceAllString(path, "/{$1}") }

// ownDetail returns the parameters and body of the page's request: the parameters in its path, and the fields in
// its text.
func (p *Page) ownDetail(r reach) *openapi.Detail {
	d := &openapi.Detail{Optional: p.detail.Optional}
	fields := ownFields(p.in.Own)
	for _, m := range brace.FindAllStringSubmatch(r.path, -1) {
		f := ownField{place: "path", name: m[1], required: true,
			raw: jsontree.NewObject(jsontree.Member{Key: "type", Value: jsontree.NewString("string")})}
		for _, own := range fields {
			if own.place == "path" && own.name == m[1] {
				f.note, f.raw = own.note, own.raw
			}
		}
		d.Parameters = append(d.Parameters, f.parameter())
	}
	for _, place := range []string{"query", "header", "cookie"} {
		for _, f := range fields {
			if f.place == place && !(place == "header" && len(r.security) > 0 &&
				strings.EqualFold(f.name, "authorization")) {
				d.Parameters = append(d.Parameters, f.parameter())
			}
		}
	}
	d.Body = ownBody(p.ref.Method, fields)
	return d
}

// ownField is a field described in the page's text.
type ownField struct {
	place, name, note    string
	required, deprecated bool
	file                 bool
	raw                  *jsontree.Value // schema of the field
}

func (f ownField) parameter() openapi.Parameter {
	p := openapi.Parameter{Name: f.name, In: f.place, Description: f.note, Required: f.required,
		Deprecated: f.deprecated, Style: "simple", Schema: openapi.SchemaOf(f.raw)}
	if f.place == "query" || f.place == "cookie" {
		p.Style, p.Explode = "form", true
	}
	return p
}

// ownBody returns a body with the body fields. If there are no body fields but the method usually has a body, readers
// enter the body as text.
func ownBody(method string, fields []ownField) *openapi.Body {
	object, media, required := fieldsObject(fields), "application/json", false
	for _, f := range fields {
		if f.place == "body" {
			required = required || f.required
			if f.file {
				media = "multipart/form-data"
			}
		}
	}
	switch method {
	case "GET", "HEAD":
		return nil
	case "POST", "PUT", "PATCH":
	default:
		if object == nil {
			return nil
		}
	}
	if object == nil {
		object = jsontree.NewObject()
	}
	return &openapi.Body{Required: required, Content: []openapi.Media{{Type: media, Schema: openapi.SchemaOf(object)}}}
}

// fieldsObject returns the schema of an object with the body fields, or nil if there are none.
func fieldsObject(fields []ownField) *jsontree.Value {
	members, needs := &jsontree.Value{Kind: jsontree.Object}, &jsontree.Value{Kind: jsontree.List}
	for _, f := range fields {
		if f.place != "body" {
			continue
		}
		members.Set(jsontree.Member{Key: f.name, Value: f.raw})
		if f.required {
			needs.Items = append(needs.Items, jsontree.NewString(f.name))
		}
	}
	if len(members.Members) == 0 {
		return nil
	}
	return jsontree.NewObject(jsontree.Member{Key: "type", Value: jsontree.NewString("object")},
		jsontree.Member{Key: "properties", Value: members}, jsontree.Member{Key: "required", Value: needs})
}

const (
	ownMax   = 500 // fields of one page
	ownDepth = 8   // fields within fields
)

// ownFields finds the ParamFields among nodes. Fields inside another field are nested in it.
func ownFields(nodes []ast.Node) []ownField {
	left := ownMax
	return ownWithin(nodes, &left, 0)
}

func ownWithin(nodes []ast.Node, left *int, depth int) (out []ownField) {
	ast.Walk(nodes, func(n ast.Node) bool {
		e, ok := n.(*ast.Element)
		if !ok {
			return true
		}
		switch e.Name {
		case "ParamField", "Param":
			if f, ok := readField(e, left, depth); ok {
				out = append(out, f)
			}
			return false
		case "ResponseField", "RequestExample", "ResponseExample":
			return false
		}
		return true
	})
	return out
}

func readField(e *ast.Element, left *int, depth int) (f ownField, ok bool) {
	for _, place := range []string{"path", "query", "body", "header", "cookie"} {
		if name := e.Str(place); name != "" {
			f.place, f.name = place, name
			break
		}
	}
	if *left--; f.name == "" || *left < 0 || depth > ownDepth {
		return f, false
	}
	f.required, f.deprecated = e.Flag("required"), e.Flag("deprecated")
	if f.note = e.Str("description"); f.note == "" {
		f.note = ownNote(e.Children)
	}
	kind := strings.TrimSpace(e.Str("type"))
	f.raw, f.file = ownSchema(kind), strings.HasPrefix(strings.ToLower(kind), "file")
	inner := f.raw
	if items := f.raw.Get("items"); items != nil {
		inner = items
	}
	if object := fieldsObject(ownWithin(e.Children, left, depth+1)); object != nil {
		for _, m := range object.Members {
			inner.Set(m)
		}
	}
	f.values(e)
	return f, true
}

// ownNote returns the text of a field before the first component in it.
func ownNote(nodes []ast.Node) string {
	for i, n := range nodes {
		if _, ok := n.(*ast.Element); ok {
			nodes = nodes[:i]
			break
		}
	}
	return strings.TrimSpace(ast.PlainText(nodes))
}

// values adds the author's values: the default, the initial value, the allowed values.
func (f *ownField) values(e *ast.Element) {
	put := func(key string, v ast.Value) {
		if value := ownValue(v, f.raw.Get("type").Text()); value != nil {
			f.raw.Set(jsontree.Member{Key: key, Value: value})
		}
	}
	put("default", e.Prop("default"))
	put("example", e.Prop("initialValue"))
	if f.raw.Get("example") == nil {
		put("example", e.Prop("placeholder"))
	}
	if list, ok := e.Prop("enum").([]ast.Value); ok {
		enum := &jsontree.Value{Kind: jsontree.List}
		for _, v := range list {
			if value := ownValue(v, f.raw.Get("type").Text()); value != nil {
				enum.Items = append(enum.Items, value)
			}
		}
		f.raw.Set(jsontree.Member{Key: "enum", Value: enum})
	}
	if f.note != "" && f.place == "body" {
		f.raw.Set(jsontree.Member{Key: "description", Value: jsontree.NewString(f.note)})
	}
}

// ownValue converts a value of the page to the type of its field, or returns nil.
func ownValue(v ast.Value, kind string) *jsontree.Value {
	switch v := v.(type) {
	case bool:
		return &jsontree.Value{Kind: jsontree.Bool, Str: strconv.FormatBool(v)}
	case float64:
		return &jsontree.Value{Kind: jsontree.Number, Str: strconv.FormatFloat(v, 'g', -1, 64)}
	case string:
		switch {
		case v == "":
			return nil
		case (kind == "integer" || kind == "number") && number(v):
			return &jsontree.Value{Kind: jsontree.Number, Str: v}
		case kind == "boolean" && (v == "true" || v == "false"):
			return &jsontree.Value{Kind: jsontree.Bool, Str: v}
		case kind == "string":
			return jsontree.NewString(v)
		}
	}
	return nil
}

// ownSchema parses a type as authors write it: string, integer[], enum<string>, file, "string | null".
func ownSchema(word string) *jsontree.Value {
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) > 100 { // too long to be a type
		word = ""
	}
	if first, _, several := strings.Cut(word, "|"); several {
		word = strings.TrimSpace(first)
	}
	of := func(kind string, more ...jsontree.Member) *jsontree.Value {
		return jsontree.NewObject(append([]jsontree.Member{{Key: "type", Value: jsontree.NewString(kind)}}, more...)...)
	}
	if item, ok := strings.CutSuffix(word, "[]"); ok {
		return of("array", jsontree.Member{Key: "items", Value: ownSchema(item)})
	}
	for _, wrap := range []string{"array<", "list<"} {
		if item, ok := strings.CutPrefix(word, wrap); ok {
			return of("array", jsontree.Member{Key: "items", Value: ownSchema(strings.TrimSuffix(item, ">"))})
		}
	}
	if item, ok := strings.CutPrefix(word, "enum<"); ok {
		word = strings.TrimSuffix(item, ">")
	}
	kind, format, _ := strings.Cut(strings.TrimSuffix(word, ">"), "<")
	switch kind {
	case "integer", "int", "int32", "int64", "long":
		return of("integer")
	case "number", "float", "double", "decimal":
		return of("number")
	case "boolean", "bool":
		return of("boolean")
	case "object", "dict", "map", "json":
		return of("object")
	case "array", "list":
		return of("array", jsontree.Member{Key: "items", Value: jsontree.NewObject()})
	case "file", "binary":
		return of("string", jsontree.Member{Key: "format", Value: jsontree.NewString("binary")})
	}
	if format != "" {
		return of("string", jsontree.Member{Key: "format", Value: jsontree.NewString(format)})
	}
	return of("string")
}
