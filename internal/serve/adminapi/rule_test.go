package adminapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

type object = map[string]any

// mistake is a change to a valid body that makes the description reject it.
type mistake struct {
	field string // field that the response must name; "" = the body
	rule  string
	body  any
}

// texts are tried wherever text is expected; those allowed by the field's schema are left out.
var texts = []any{"", " ", "\x00", "a\x01b", "a b", "-x", "/x", "x?y", "x~y", "x*", "A!", "@", "@x", ".x", "x@",
	"a@b@c", "https://x.example", "no-such-word"}

// mistakes breaks each rule of a schema in turn. good is a value that matches the schema.
func (c *contract) mistakes(schema object, good any, field string) (out []mistake) {
	schema = c.resolved(schema)
	for _, wrong := range wrongValues(schema) {
		out = append(out, mistake{field, fmt.Sprintf("%.40q", fmt.Sprint(wrong)), wrong})
	}
	body, _ := good.(object)
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		for _, m := range c.mistakes(properties[name].(object), body[name], dotted(field, name)) {
			out = append(out, mistake{m.field, m.rule, changed(body, name, m.body)})
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		without := maps.Clone(body)
		delete(without, name.(string))
		out = append(out, mistake{dotted(field, name.(string)), "required", without})
	}
	if schema["additionalProperties"] == false {
		out = append(out, mistake{dotted(field, "unheardOf"), "unknown field", changed(body, "unheardOf", "x")})
	}
	forms, _ := schema["oneOf"].([]any)
	for _, form := range forms {
		if form := c.resolved(form.(object)); hasAll(body, form["required"]) {
			out = append(out, c.mistakes(form, good, field)...)
		}
	}
	if item, ok := schema["items"].(object); ok {
		var first any
		if list, _ := good.([]any); len(list) > 0 {
			first = list[0]
		}
		for _, m := range c.mistakes(item, first, field) {
			out = append(out, mistake{field, "entry " + m.rule, []any{m.body}})
		}
	}
	return out
}

// wrongValues returns values that break a schema's own rules; the members of objects and lists are handled
// separately.
func wrongValues(schema object) []any {
	values := []any{nil, true, 1.5, json.Number("-7"), json.Number("1000000"), "a text", []any{}, []any{[]any{}},
		object{}}
	values = append(values, texts...)
	for _, limit := range []string{"maxLength", "maxItems"} {
		n, ok := schema[limit].(json.Number)
		if !ok {
			continue
		}
		most, _ := n.Int64() // the description has whole numbers here
		items := int(most) + 1
		if limit == "maxLength" { // any list is invalid for a text, and one this long might be too large for a body
			items = min(items, 1000)
		}
		list := make([]any, items)
		for i := range list {
			list[i] = fmt.Sprintf("d%d.example.com", i)
		}
		values = append(values, strings.Repeat("x", int(most)+1), list)
	}
	if schema["type"] == "object" || schema["type"] == "array" {
		values = slices.DeleteFunc(values,
			func(v any) bool { _, ok := v.(object); return ok && schema["minProperties"] == nil })
	}
	return values
}

// hasAll reports whether a body has all required fields of an alternative.
func hasAll(body object, required any) bool {
	names, _ := required.([]any)
	return len(names) > 0 && !slices.ContainsFunc(names, func(name any) bool { return body[name.(string)] == nil })
}

func dotted(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func changed(body object, name string, value any) object {
	out := maps.Clone(body)
	if out == nil {
		out = object{}
	}
	out[name] = value
	return out
}

// resolved follows a reference in the description.
func (c *contract) resolved(schema object) object {
	if ref, ok := schema["$ref"].(string); ok {
		return c.resolved(c.at(strings.TrimPrefix(ref, "#")).(object))
	}
	return schema
}

// A7: the server rejects whatever the description rejects, and names the field.
func TestServerEnforcesDescribedRules(t *testing.T) {
	c := loadContract(false)
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	tried := map[string]int{}
	for _, r := range adminapi.Routes() {
		good := samples[r.OperationID].ask(x).by(r, x.key)
		at := c.deref(pointer("paths", r.Pattern, strings.ToLower(r.Method), "requestBody")) +
			"/content/application~1json/schema"
		schema, ok := c.at(at).(object)
		if !ok || r.Scope == "" {
			continue // receives bodies defined by others: pushes and reports of leaked keys
		}
		if strings.HasPrefix(r.OperationID, "askAssistant") {
			continue // ignores unknown fields, because chat clients send more than is described
		}
		var body any
		if good.body != "" {
			must(t, json.Unmarshal([]byte(good.body), &body))
		}
		for _, m := range c.mistakes(schema, body, "") {
			text, err := json.Marshal(m.body)
			must(t, err)
			if c.validateJSON(at, text) == nil {
				continue
			}
			tried[r.OperationID]++
			a := good
			a.body = string(text)
			got := w.do(t, a)
			if got.status != 400 || !namesField(got, m.field) {
				t.Errorf("%s, %s %s: %d %.200s", r.OperationID, m.field, m.rule, got.status, got.body)
			}
		}
	}
	if len(tried) < 20 || tried["createProject"] < 50 {
		t.Errorf("too few mistakes tried: %v", tried)
	}
}

// namesField reports whether an error names the field or an enclosing one.
func namesField(got reply, field string) bool {
	var problem struct{ Details []struct{ Field string } }
	if json.Unmarshal(got.body, &problem) != nil {
		return false
	}
	if field == "" || len(problem.Details) == 0 {
		return field == ""
	}
	named := problem.Details[0].Field
	return named == field || strings.HasPrefix(field, named+".") || strings.HasPrefix(named, field+".") ||
		strings.HasPrefix(named, field+"[")
}
