package client_test

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lectern-docs/lectern/api"
)

// description is the API's description with compiled schemas.
type description struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
}

func newDescription(t *testing.T) description {
	t.Helper()
	data, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return description{doc.(map[string]any), compiler}
}

// described is the description of one operation.
type described struct {
	id, method, path string
	query            []string // parameter names in order, without the one that selects JSON or CSV
	keyless          bool
	body             any // schema, or nil
	status           int // on success
	answer           any // schema, or nil
	csv              bool
}

// operations returns the operations by their ids.
func (d description) operations() map[string]described {
	out := map[string]described{}
	for path, item := range d.doc["paths"].(map[string]any) {
		shared, _ := item.(map[string]any)["parameters"].([]any)
		for method, op := range item.(map[string]any) {
			if o, ok := op.(map[string]any); ok {
				read := d.operation(o, shared)
				read.method, read.path = strings.ToUpper(method), path
				out[read.id] = read
			}
		}
	}
	return out
}

func (d description) operation(o map[string]any, shared []any) described {
	op := described{id: o["operationId"].(string), body: d.content(o["requestBody"], "application/json")}
	if security, ok := o["security"].([]any); ok {
		op.keyless = len(security) == 0
	}
	responses := o["responses"].(map[string]any)
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if status[0] == '2' && op.status == 0 {
			op.status, _ = strconv.Atoi(status)
			op.answer = d.content(responses[status], "application/json")
			op.csv = op.answer != nil && d.content(responses[status], "text/csv; charset=utf-8") != nil
		}
	}
	local, _ := o["parameters"].([]any)
	for _, p := range slices.Concat(shared, local) {
		p := d.resolve(p)
		if p["in"] == "query" && !(op.csv && p["name"] == "format") {
			op.query = append(op.query, p["name"].(string))
		}
	}
	slices.Sort(op.query)
	return op
}

// content returns the schema of a body with the media type, or nil if there is no such body.
func (d description) content(of any, media string) any {
	if of == nil {
		return nil
	}
	contents, _ := d.resolve(of)["content"].(map[string]any)
	if body, ok := contents[media].(map[string]any); ok {
		return body["schema"]
	}
	return nil
}

// resolve follows references to the actual description.
func (d description) resolve(of any) map[string]any {
	m, _ := of.(map[string]any)
	for m["$ref"] != nil {
		next := d.doc
		for part := range strings.SplitSeq(strings.TrimPrefix(m["$ref"].(string), "#/"), "/") {
			next = next[part].(map[string]any)
		}
		m = next
	}
	return m
}

// sameFields checks that a value has exactly the described fields, at every depth.
func (d description) sameFields(t *testing.T, at string, value, schema any) {
	t.Helper()
	s := d.resolve(schema)
	for _, either := range []string{"oneOf", "anyOf"} {
		if options, ok := s[either].([]any); ok && len(options) == 2 && d.resolve(options[1])["type"] == "null" {
			s = d.resolve(options[0]) // the other option is null, and filled values are not null
		}
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			d.sameFields(t, at+"[]", one, s["items"])
		}
	case map[string]any:
		fields := d.fields(s)
		if len(fields) == 0 {
			return // fields are arbitrary, or the schema has several forms
		}
		if have, want := slices.Sorted(maps.Keys(v)), slices.Sorted(maps.Keys(fields)); !slices.Equal(have, want) {
			t.Errorf("%s has the fields %q, want %q", at, have, want)
		}
		for name, one := range v {
			d.sameFields(t, at+"."+name, one, fields[name])
		}
	}
}

// fields returns an object's properties, including those of the schemas that it is composed of.
func (d description) fields(s map[string]any) map[string]any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	maps.Copy(out, properties)
	all, _ := s["allOf"].([]any)
	for _, part := range all {
		maps.Copy(out, d.fields(d.resolve(part)))
	}
	return out
}

// check validates a body against the schema at a path in the description.
func (d description) check(t *testing.T, what string, body []byte, place ...string) {
	t.Helper()
	for i, p := range place {
		place[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(p)
	}
	pointer := strings.NewReplacer("{", "%7B", "}", "%7D").Replace(strings.Join(place, "/"))
	schema, err := d.compiler.Compile("openapi.json#/" + pointer)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", what, err, body)
	}
}
