package openapi

import (
	"fmt"
	"strings"
	"testing"
)

// drawn writes a graph, one node per line.
func drawn(g *Graph) string {
	var out []string
	for i, n := range g.Nodes {
		line := fmt.Sprint(i, " ", n.Schema.single(0))
		for _, p := range n.Properties {
			line += fmt.Sprintf(" %s=%d%s", p.Name, p.Node, map[bool]string{true: "!"}[p.Required])
		}
		if n.Additional >= 0 {
			line += fmt.Sprint(" *=", n.Additional)
		}
		if n.Items >= 0 {
			line += fmt.Sprint(" []=", n.Items)
		}
		for _, o := range n.Options {
			line += fmt.Sprint(" |", o)
		}
		if n.Schema.Tagged != "" {
			line += " #" + n.Schema.Tagged
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestGraphIsCompleteForRecursiveDescriptions(t *testing.T) {
	for _, c := range []struct {
		name, schemas string
		most          int
		want          string
	}{
		{"itself",
			`{"A": {"required": ["up"], "properties": {"up": {"$ref": "#/components/schemas/A"}, "n": {"type": "integer"}}}}`, 10, "0 object up=0! n=1\n1 integer"},
		{"through a list and another",
			`{"A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}}, "B": {"items": {"$ref": "#/components/schemas/A"}}}`, 10, "0 object b=1\n1 array []=0"},
		{"the same schema is one node",
			`{"A": {"properties": {"x": {"$ref": "#/components/schemas/B"}, "y": {"$ref": "#/components/schemas/B"}}}, "B": {"type": "string"}}`, 10, "0 object x=1 y=1\n1 string"},
		{"another tag makes another node",
			`{"A": {"properties": {"b": {"$ref": "#/components/schemas/B"}, "u": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"$ref": "#/components/schemas/C"}], "discriminator": {"propertyName": "k", "mapping": {"bee": "#/components/schemas/B"}}}}}, "B": {"type": "object"}, "C": {"type": "object"}}`, 10,
			"0 object b=1 u=2\n1 object\n2 any |3 |4\n3 object #bee\n4 object #C"},
		{"several types", `{"A": {"type": ["string", "array", "null"], "items": {"type": "integer"}}}`, 10,
			"0 string |1 |2\n1 string []=3\n2 array []=3\n3 integer"},
		{"allOf is merged",
			`{"A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"c": {}}}]}, "B": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/A"}}}}`, 10, "0 object b=0 c=1\n1 any"},
		{"patterns are other keys", `{"A": {"patternProperties": {"^x-": {"type": "string"}}}}`, 10,
			"0 any *=1\n1 string"},
		{"a limit",
			`{"A": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}}}`, 2,
			"0 object a=1 b=2 c=2\n1 string\n2 any"},
		{"a reference that leads nowhere", `{"A": {"properties": {"a": {"$ref": "#/nowhere"}}}}`, 10,
			"0 object a=1\n1 nowhere"},
	} {
		s, _ := load(t, head+c.schemas+"}}")
		g := NewGraph(s, c.most)
		root := g.Add(&Schema{raw: s.schemas().Get("A")})
		g.Fill()
		if got := drawn(g); got != c.want || root != 0 {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestParametersHaveAStyle(t *testing.T) {
	read := func(text string) *Parameter {
		s, found := load(t, text)
		if s == nil {
			t.Fatal(found)
		}
		return &s.Operations[0].Detail().Parameters[0]
	}
	for _, c := range []struct{ in, more, want string }{
		{"path", ``, "simple false"}, {"path", `, "style": "label", "explode": true`, "label true"},
		{"path", `, "style": "matrix"`, "matrix false"}, {"path", `, "style": "form"`, "simple false"},
		{"query", ``, "form true"}, {"query", `, "explode": false`, "form false"},
		{"query", `, "style": "spaceDelimited"`, "spaceDelimited false"},
		{"query", `, "style": "pipeDelimited", "explode": true`, "pipeDelimited true"},
		{"query", `, "style": "deepObject"`, "deepObject false"}, {"query", `, "style": 5`, "form true"},
		{"header", ``, "simple false"}, {"header", `, "explode": true`, "simple true"}, {"cookie", ``, "form true"},
		{"cookie", `, "style": "deepObject"`, "form true"},
	} {
		p := read(`{"openapi": "3.0.0", "paths": {"/x": {"get": {"parameters": [{"name": "p", "in": "` + c.in + `"` +
			c.more + `}]}}}}`)
		if got := fmt.Sprint(p.Style, " ", p.Explode); got != c.want {
			t.Errorf("%s%s: %s, want %s", c.in, c.more, got, c.want)
		}
	}
	for _, c := range []struct{ in, format, want string }{
		{"query", "", "form false"}, {"query", "csv", "form false"}, {"query", "multi", "form true"},
		{"query", "ssv", "spaceDelimited false"}, {"query", "pipes", "pipeDelimited false"},
		{"path", "multi", "simple false"}, {"header", "csv", "simple false"},
	} {
		p := read(`{"swagger": "2.0", "paths": {"/x": {"get": {"parameters": [{"name": "p", "in": "` + c.in +
			`", "type": "array", "collectionFormat": "` + c.format + `"}]}}}}`)
		if got := fmt.Sprint(p.Style, " ", p.Explode); got != c.want {
			t.Errorf("Swagger, %s %s: %s, want %s", c.in, c.format, got, c.want)
		}
	}
	p := read(
		`{"openapi": "3.0.0", "paths": {"/x": {"get": {"parameters": [{"name": "p", "in": "query", "allowReserved": true, "content": {"application/json": {"schema": {"type": "object"}}}}]}}}}`)
	if p.Content != "application/json" || !p.Reserved || p.Schema.Base != "object" {
		t.Errorf("%+v", p)
	}
}

func TestSwaggerFormsHaveACollectionFormat(t *testing.T) {
	s, _ := load(t, `{"swagger": "2.0", "paths": {"/x": {"post": {"parameters": [
		{"name": "a", "in": "formData", "type": "array", "collectionFormat": "multi", "items": {"type": "string"}}, {"name": "b", "in": "formData", "type": "array", "items": {"type": "string"}}, {"name": "c", "in": "formData", "type": "string"}]}}}}`)
	if got := fmt.Sprint(s.Operations[0].Detail().
		Body.Content[0].Encoding); got != "[{a  form true false} {b  form false false}]" {
		t.Error(got)
	}
}

func TestSecuritySchemesHaveFlowsAndPrefixes(t *testing.T) {
	const modern = `{"openapi": "3.0.0", "security": [{"s": []}], "paths": {"/x": {"get": {}}}, "components": {"securitySchemes": {"s": %s}}}`
	const old = `{"swagger": "2.0", "security": [{"s": []}], "paths": {"/x": {"get": {}}}, "securityDefinitions": {"s": %s}}`
	for _, c := range []struct{ form, scheme, want string }{
		{modern, `{"type": "http", "scheme": "Bearer"}`, `bearer "Bearer " []`},
		{modern, `{"type": "http", "scheme": "basic"}`, `basic "Basic " []`},
		{modern, `{"type": "http", "scheme": "digest"}`, `http "Digest " []`},
		{modern, `{"type": "http"}`, `http "" []`},
		{modern, `{"type": "apiKey", "in": "query", "name": "k"}`, `apiKey "" []`},
		{modern, `{"type": "openIdConnect"}`, `openIdConnect "Bearer " []`},
		{modern,
			`{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": " t ", "scopes": {"r": "Read"}}, "implicit": {"authorizationUrl": "a", "refreshUrl": "f"}, "x-note": {}}}`, `oauth2 "Bearer " [{clientCredentials t   [{r Read}]} {implicit  a f []}]`},
		{old, `{"type": "oauth2", "flow": "application", "tokenUrl": "t", "scopes": {"r": "Read", "x-y": "z"}}`,
			`oauth2 "Bearer " [{clientCredentials t   [{r Read}]}]`},
		{old, `{"type": "oauth2", "flow": "accessCode", "tokenUrl": "t", "authorizationUrl": "a"}`,
			`oauth2 "Bearer " [{authorizationCode t a  []}]`},
		{old, `{"type": "basic"}`, `basic "Basic " []`},
	} {
		s, found := load(t, fmt.Sprintf(c.form, c.scheme))
		if s == nil {
			t.Fatal(found)
		}
		list, _ := s.Operations[0].Security()
		if got := fmt.Sprintf("%s %q %v", list[0][0].Type, list[0][0].Prefix, list[0][0].Flows); got != c.want {
			t.Errorf("%s: %s, want %s", c.scheme, got, c.want)
		}
	}
}
