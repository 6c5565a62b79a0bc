package openapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// load reads a description named api.json (or api.yaml if it does not start with a brace) in a folder with other files.
func load(t testing.TB, text string, files ...string) (*Spec, []string) {
	t.Helper()
	name := "api.yaml"
	if strings.HasPrefix(text, "{") {
		name = "api.json"
	}
	fsys := fstest.MapFS{name: {Data: []byte(text)}}
	for i := 0; i+1 < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	s, list := (&Loader{FS: fsys}).Load(context.Background(), name)
	var found []string
	for _, d := range list {
		found = append(found, d.String())
	}
	return s, found
}

const head = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": {"description": "x", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}}, "components": {"schemas": `

// schema returns the view of schema A.
func schema(t testing.TB, schemas string) *Schema {
	t.Helper()
	s, found := load(t, head+schemas+"}}")
	if s == nil {
		t.Fatal(found)
	}
	return s.Schema("A")
}

// describe writes a view on one line.
func describe(s *Schema, depth int) string {
	if s == nil || depth > 20 {
		return "-"
	}
	out := s.Type()
	if s.Recursive {
		return out + "↺" + s.Name
	}
	if s.Cut {
		out += "✂"
	}
	var parts []string
	for _, p := range s.Properties {
		mark := ""
		if p.Required {
			mark = "!"
		}
		parts = append(parts, p.Name+mark+" "+describe(p.Schema, depth+1))
	}
	if s.Additional != nil {
		parts = append(parts, "* "+describe(s.Additional, depth+1))
	}
	if len(parts) > 0 {
		out += "{" + strings.Join(parts, ", ") + "}"
	}
	if s.Items.Nested() {
		out += "[" + describe(s.Items, depth+1) + "]"
	}
	for _, o := range s.Options {
		out += " | " + o.Label() + ":" + describe(o, depth+1)
	}
	return out
}

func TestSchemasAreSimplifiedForReaders(t *testing.T) {
	for _, c := range []struct{ name, schemas, want string }{
		{"order is kept",
			`{"A": {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "integer"}}, "required": ["a"]}}`, "object{z string, a! integer}"},
		{"allOf is merged, the outer wins",
			`{"A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"y": {"type": "number"}}, "required": ["x"]}], "properties": {"x": {"type": "boolean"}}}, "B": {"type": "object", "properties": {"x": {"type": "string"}}}}`, "object{x! boolean, y number}"},
		{"recursion stops",
			`{"A": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/A"}, "all": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}}`, "object{next object↺A, all object[]}"},
		{"or null is a flag", `{"A": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}}`,
			"string<uuid> or null"},
		{"type lists", `{"A": {"type": ["string", "integer", "null"]}}`, "string or integer or null"},
		{"nullable", `{"A": {"type": "string", "nullable": true, "enum": ["a", null]}}`, "enum<string> or null"},
		{"alternatives",
			`{"A": {"oneOf": [{"title": "X", "type": "object", "properties": {"a": {"type": "string"}}}, {"type": "array", "items": {"type": "number"}}]}}`,
			"object X or number[] | X:object{a string} | number[]:number[]"},
		{"alternatives that only require keys are ignored",
			`{"A": {"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}`,
			"object{a any}"},
		{"maps", `{"A": {"type": "object", "additionalProperties": {"type": "integer"}}}`,
			"map<string, integer>{* integer}"},
		{"tuples", `{"A": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}}`,
			"(string or integer)[][string or integer | string:string | integer:integer]"},
		{"files",
			`{"A": {"type": "object", "properties": {"a": {"type": "string", "format": "binary"}, "b": {"type": "string", "contentMediaType": "image/png"}, "c": {"type": "string", "contentMediaType": "application/json"}}}}`, "object{a file, b file, c string}"},
		{"a reference in a circle",
			`{"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}`, "any↺B"},
		{"a reference to nothing",
			`{"A": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Gone"}}}}`, "object{x Gone}"},
		{"text beside a reference",
			`{"A": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/B", "nullable": true}}}, "B": {"type": "string"}}`,
			"object{x string or null}"},
	} {
		if got := describe(schema(t, c.schemas), 0); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestLimitsAreDescribedInWords(t *testing.T) {
	s := schema(t,
		`{"A": {"type": "object", "properties": {"a": {"minimum": 1, "maximum": 5}, "b": {"exclusiveMinimum": 0}, "c": {"minimum": 0, "exclusiveMinimum": true, "maximum": 9}, "d": {"minLength": 2, "maxLength": 2}, "e": {"minItems": 1, "uniqueItems": true}, "f": {"multipleOf": 0.5}}}}`)
	want := []string{"1 ≤ x ≤ 5", "x > 0", "0 < x ≤ 9", "exactly 2 characters", "at least 1 item,no duplicates", "multiple of 0.5"}
	for i, p := range s.Properties {
		if got := strings.Join(p.Schema.Limits, ","); got != want[i] {
			t.Errorf("%s: got %q, want %q", p.Name, got, want[i])
		}
	}
}

func TestSamplesUseTheAuthorsExamples(t *testing.T) {
	s := schema(t,
		`{"A": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "format": "uuid"}, "n": {"type": "integer", "example": 7}, "e": {"enum": ["x", "y"]}, "r": {"type": "string", "readOnly": true}, "w": {"type": "string", "writeOnly": true}, "self": {"$ref": "#/components/schemas/A"}, "list": {"type": "array", "items": {"type": "boolean"}}}}}`)
	flat := func(v *jsontree.Value) string { return strings.Join(strings.Fields(v.JSON()), "") }
	if got := flat(s.Sample(Request,
		false)); got != `{"id":"123e4567-e89b-12d3-a456-426614174000","n":7,"e":"x","w":"<string>","list":[true]}` {
		t.Error(got)
	}
	if got := flat(s.Sample(Answer, true)); got != `{"id":"123e4567-e89b-12d3-a456-426614174000"}` {
		t.Error(got)
	}
}

func TestErrorsHaveAPosition(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\n  \"openapi\": \"3.0.0\",\n  \"a\": tru\n}", `api.json:3:8: error: Expected a value here. [spec-syntax]`},
		{"{\"a\": \"é\", \"b\": }", `api.json:1:17: error: Expected a value here. [spec-syntax]`},
		{"openapi: 3.0.0\n a: b: c\n",
			`api.yaml:2:5: error: This is not valid YAML: a value that contains a colon must be in quotes. [spec-syntax]`},
		{"{\"a\": 1}", `api.json:1:1: error: This is not an API description of a supported version. [spec-version]`},
		{"openapi: 3.0.0\ninfo: {}\npaths:\n  /a:\n    get:\n      responses: {200: {$ref: '#/x/y'}}\n",
			`api.yaml:6:31: warning: The reference "#/x/y" cannot be resolved. [ref-missing]`},
		{"openapi: 3.0.0\nx: &a {b: *a}\n",
			`api.yaml:2:11: error: The alias *a refers to a value that contains it. [spec-syntax]`},
		{"", `api.yaml:1:1: error: This is not an API description of a supported version. [spec-version]`},
	} {
		_, found := load(t, c.text)
		if len(found) != 1 || found[0] != c.want {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, found, c.want)
		}
	}
}

func TestReferencesOutsideTheFolderAreRefused(t *testing.T) {
	for _, ref := range []string{"../secret.json", "/../secret.json#/a", "..%2fsecret.json",
		"https://example.com/a.json", "a\\\\..\\\\b.json"} {
		_, found := load(t, head+`{"A": {"$ref": "`+ref+`"}}}}`)
		if len(found) == 0 || !strings.Contains(found[0], "[ref-") {
			t.Errorf("%s: %q", ref, found)
		}
	}
	s, found := load(t, head+`{"A": {"$ref": "parts/b.yaml#/x"}}}}`, "parts/b.yaml",
		"x: {$ref: '#/y'}\ny: {type: object, properties: {c: {$ref: ../api.json#/components/schemas/A}}}\n")
	if len(found) > 0 || describe(s.Schema("A"), 0) != "object{c object↺A}" {
		t.Errorf("%q %s", found, describe(s.Schema("A"), 0))
	}
}

// each repeats format once for each number.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestPageShowsABoundedNumberOfSchemas(t *testing.T) {
	props := strings.TrimSuffix(each(600, `"p%d": {"type": "string"},`), ",")
	responses := strings.TrimSuffix(each(5000,
		`"r%d": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},`), ",")
	s, found := load(t, `{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"get": {"responses": {`+responses+
		`}}}}, "components": {"schemas": {"A": {"properties": {`+props+`}}}}}`)
	if s == nil {
		t.Fatal(found)
	}
	all := 0
	for _, r := range s.Operations[0].Detail().Responses {
		all += 1 + len(r.Content[0].Schema.Properties)
	}
	if all < viewMax || all > firstMax+5000+rootMax {
		t.Errorf("%d schemas", all)
	}
}

func TestSwaggerMediaTypesAreLimited(t *testing.T) {
	types := strings.TrimSuffix(each(10_000, `"application/x%d",`), ",")
	s, found := load(t, `{"swagger": "2.0", "info": {}, "produces": [`+types+
		`], "paths": {"/a": {"get": {"responses": {"200": {"schema": {}}}}}}}`)
	if s == nil {
		t.Fatal(found)
	}
	if n := len(s.Operations[0].Detail().Responses[0].Content); n != maxMedia {
		t.Errorf("%d media types", n)
	}
}

func TestOperationFormFieldOverridesPathField(t *testing.T) {
	s,
		found := load(t,
		`{"swagger": "2.0", "info": {}, "paths": {"/a": {"parameters": [{"in": "formData", "name": "f", "type": "integer"}], "post": {"parameters": [{"in": "formData", "name": "f", "type": "string"}], "responses": {}}}}}`)
	if s == nil {
		t.Fatal(found)
	}
	if got := describe(s.Operations[0].Detail().Body.Content[0].Schema, 0); got != "object{f string}" {
		t.Error(got)
	}
}

// The time and memory that hostile descriptions take must be in proportion to their size.
func TestHostileDescriptionsTakeBoundedTime(t *testing.T) {
	mesh, chain, laugh := "{", "{", "openapi: 3.0.0\ninfo: {title: t}\nx0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 60 {
		var props []string
		for j := range 60 {
			props = append(props, fmt.Sprintf(`"p%d": {"$ref": "#/components/schemas/A%d"}`, j, j))
		}
		mesh += fmt.Sprintf(`"A%d": {"type": "object", "properties": {%s}},`, i, strings.Join(props, ","))
		chain += fmt.Sprintf(
			`"A%d": {"allOf": [{"$ref": "#/components/schemas/A%d"}, {"$ref": "#/components/schemas/A%d"}]},`, i, i+1,
			i+1)
		if i > 0 && i < 12 {
			laugh += fmt.Sprintf("x%d: &a%d [%s]\n", i, i,
				strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
		}
	}
	laugh += "paths: {/a: {get: {responses: {200: {description: x, content: {application/json: {example: *a11}}}}}}}\n"
	for name, text := range map[string]string{
		"mesh": head + mesh + `"A": {"$ref": "#/components/schemas/A0"}}}}`, "allOf doubles": head + chain +
			`"A60": {}, "A": {"$ref": "#/components/schemas/A0"}}}}`, "aliases": laugh,
		"deep JSON": head + strings.Repeat(`{"A":`, 100_000), "deep YAML": "openapi: 3.0.0\nx: " +
			strings.Repeat("[", 100_000), "deep blocks": "openapi: 3.0.0\nx:\n" + strings.Repeat("- ", 100_000),
		"large enum": head + `{"A": {"enum": [` + strings.Repeat(`"x",`, 200_000) + `"y"]}}}}`,
		"long line":  head + `{"A": {"description": "` + strings.Repeat("é", 1_000_000) + `"}}}}`,
		"many keys":  "openapi: 3.0.0\n" + each(100_000, "k%d: v\n"),
		"merged mappings": "openapi: 3.0.0\na: &a {}\nb: &b\n" + each(50_000, "  k%d: v\n") + "x:\n  <<: [" +
			strings.Repeat("*a, ", 50_000) + "*b, *b]\n",
		"merge keys": "openapi: 3.0.0\na: &a {b: 1}\nx:\n" + strings.Repeat("- {<<: [*a, *a, *a]}\n", 50_000),
	} {
		start := time.Now()
		s, _ := load(t, text)
		if s != nil {
			for _, op := range s.Operations {
				d := op.Detail()
				for _, r := range d.Responses {
					for _, m := range r.Content {
						m.Schema.Sample(Answer, false).JSON()
						for _, e := range m.Examples {
							if n := len(e.Value.JSON()); n > 256<<10 {
								t.Errorf("%s: an example of %d bytes", name, n)
							}
						}
					}
				}
			}
			s.Schema("A")
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestSetFindsOperationsByName(t *testing.T) {
	spec := func(path string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"openapi": "3.0.0", "info": {}, "paths": {"/both": {"get": {}}, "` +
			path + `": {"post": {}}}, "components": {"schemas": {"S": {}}}}`)}
	}
	l := &Loader{FS: fstest.MapFS{"b/two.json": spec("/two/{id}"), "one.yaml": spec("/one/")}}
	set, list := LoadSet(context.Background(), l,
		[]string{"one.yaml", "b/two.json", "one.yaml", "https://example.com/x.json"}, 2)
	if len(list) != 1 || list[0].Code != "spec-not-fetched" || len(set.specs) != 2 ||
		!set.Failed("https://example.com/x.json") {
		t.Fatalf("%v", list)
	}
	for _, c := range []struct{ file, method, path, want string }{
		{"", "get", "/both", "b/two.json"}, {"/one.yaml", "GET", "/both", "one.yaml"},
		{"one", "GET", "/both", "one.yaml"}, {"two", "POST", "/two/{x}", "b/two.json"},
		{"", "POST", "/one", "one.yaml"}, {"two.json", "POST", "/one", ""}, {"", "PUT", "/both", ""},
	} {
		got := ""
		if op := set.Operation(c.file, c.method, c.path); op != nil {
			got = op.Spec().Name
		}
		if got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
	if op := set.Operation("", "GET", "/both", "one.yaml"); op.Spec().Name != "one.yaml" {
		t.Error("the preferred description was not searched first")
	}
	if near := set.Nearest("", "POST", "/twoo/{id}"); near != "POST /two/{id}" {
		t.Error(near)
	}
}

func TestRemoteDescriptionsAreFetched(t *testing.T) {
	l := &Loader{FS: fstest.MapFS{}, Fetch: func(_ context.Context, url string) ([]byte, error) {
		if url == "https://example.com/ok" {
			return []byte("openapi: 3.1.0\ninfo: {title: Far}\npaths: {/a: {get: {}}}\n"), nil
		}
		return nil, errors.New("refused")
	}}
	if s, list := l.Load(context.Background(), "https://example.com/ok"); s == nil || s.Title != "Far" ||
		len(list) > 0 {
		t.Errorf("%v %v", s, list)
	}
	if s, list := l.Load(context.Background(), "https://example.com/no"); s != nil || len(list) != 1 ||
		list[0].Code != "spec-not-fetched" {
		t.Errorf("%v %v", s, list)
	}
}

func TestEntriesAndPathsFollowTheFormat(t *testing.T) {
	for in, want := range map[string]Entry{
		"GET /pets": {"", "GET", "/pets"}, "/a/api.yaml post /x/{y}": {"/a/api.yaml", "POST", "/x/{y}"},
		"my file.json DELETE x":       {"my file.json", "DELETE", "/x"},
		"webhook order paid":          {"", "WEBHOOK", "order paid"},
		"https://e.com/s.json PUT /z": {"https://e.com/s.json", "PUT", "/z"}, "guides/get started": {}, "get": {},
	} {
		if got, ok := ParseEntry(in); got != want || ok != (want != Entry{}) {
			t.Errorf("ParseEntry(%q) = %+v, %v", in, got, ok)
		}
	}
	for in, want := range map[string]string{
		"Client API - Display": "client-api--display", "JSON-RPC endpoint": "json-rpc-endpoint", "Api/v2": "apiv2",
		"Send BoC (return hash)": "send-boc-return-hash",
		"eth_chainId":            "eth_chainid", "  Get  all ": "get-all", "Éclair!": "éclair", "../..": "",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		head + `{"A": {"allOf": [{"$ref": "#/components/schemas/A"}], "oneOf": [{"type": "null"}, {"enum": [1]}]}}}}`,
		"swagger: '2.0'\nhost: x\npaths: {/a: {post: {parameters: [{in: formData, name: f, type: file}, {in: body, schema: {$ref: '#/definitions/A'}}], responses: {200: {schema: {}}}}}}\ndefinitions: {A: {type: array}}\n",
		"asyncapi: 3.0.0\nchannels: {c: {messages: {m: {payload: {schema: {$ref: '#/x'}}}}}}\n",
		"openapi: 3.0.0\nx: &a\n  <<: *a\n",
		`{"openapi":"3","paths":{"/":{"get":{"callbacks":{"c":{"e":{"post":{}}}}}}},"webhooks":{"w":{"post":{}}}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := load(t, text)
		if s == nil {
			return
		}
		for _, op := range append(append([]*Operation{}, s.Operations...), s.Webhooks...) {
			d := op.Detail()
			op.PagePath("x")
			for _, r := range d.Responses {
				for _, m := range r.Content {
					describe(m.Schema, 0)
					m.Schema.Sample(Answer, false).JSON()
				}
			}
		}
		for _, c := range s.Channels {
			c.Messages()
		}
		for _, n := range s.Schemas {
			describe(s.Schema(n), 0)
		}
	})
}
