package apipage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// sound fails the test if a plan is unsafe for a page: if it is too long, is not JSON, could end the element that
// contains it, or contains an index that is out of range.
func sound(t testing.TB, text []byte) (p plan) {
	t.Helper()
	if len(text) > planMax {
		t.Fatalf("the plan has %d bytes", len(text))
	}
	if strings.ContainsAny(string(text), "<>\u2028") {
		t.Fatalf("the plan can end its element: %.300s", text)
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.UseNumber() // an example may be larger than any float
	if err := read.Decode(&p); err != nil {
		t.Fatal(err)
	}
	check := func(v any) {
		if v == nil {
			return
		}
		if n, err := strconv.Atoi(fmt.Sprint(v)); err != nil || n < 0 || n >= len(p.Schemas) {
			t.Fatalf("schema %v of %d", v, len(p.Schemas))
		}
	}
	for _, param := range p.Parameters {
		check(param.Schema)
	}
	for _, b := range p.Bodies {
		check(b.Schema)
	}
	for _, s := range p.Schemas {
		check(s["items"])
		check(s["additional"])
		options, _ := s["options"].([]any)
		for _, o := range options {
			check(o)
		}
		properties, _ := s["properties"].([]any)
		for _, prop := range properties {
			check(prop.(map[string]any)["schema"])
		}
	}
	return p
}

// posting returns a page for "POST /x" with this body schema.
func posting(t testing.TB, schema, more string) Input {
	t.Helper()
	text := `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example.com"}], "paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": ` +
		schema + `}}}, "responses": {}}}}` + more + `}`
	set, list := openapi.LoadSet(context.Background(),
		&openapi.Loader{FS: fstest.MapFS{"api.json": {Data: []byte(text)}}}, []string{"api.json"}, 1)
	if set.Spec("api.json") == nil {
		t.Fatal(list)
	}
	page := &site.Page{Path: "x", Title: "X",
		API: &site.APIRef{Kind: site.APIOperation, Spec: "api.json", Method: "POST", Path: "/x"}}
	return Input{Page: page, Specs: set, Playground: capability.Playground{On: true}}
}

func TestHostileDescriptionsProduceSmallSafePlans(t *testing.T) {
	list := func(n int, item func(int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = item(i)
		}
		return strings.Join(parts, ",")
	}
	long := strings.Repeat("</script><!--<script>\\u2028 *a* ", 2000)
	for name, in := range map[string]Input{
		"texts": posting(t, `{"type": "object", "title": "`+long+`", "description": "`+long+
			`", "properties": {"</script>": {"type": "string", "default": "</script>", "example": "<!--", "pattern": "</script>"}}}`, ""),
		"a giant enum": posting(t,
			`{"enum": [`+list(50_000, func(i int) string { return fmt.Sprintf(`"value %d </script>"`, i) })+`]}`, ""),
		"many properties": posting(t, `{"type": "object", "properties": {`+list(3000, func(i int) string {
			return fmt.Sprintf(`"p%d": {"type": "string", "description": %q}`, i, strings.Repeat("text ", 60))
		})+`}}`, ""),
		"deep nesting": posting(t, strings.Repeat(`{"type": "array", "items": `, 90)+`{}`+strings.Repeat("}", 90), ""),
		"recursion": posting(t, `{"$ref": "#/components/schemas/A"}`,
			`, "components": {"schemas": {"A": {"allOf": [{"$ref": "#/components/schemas/B"}], "items": {"$ref": "#/components/schemas/A"}}, "B": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}], "properties": {"a": {"$ref": "#/components/schemas/A"}}}}}`),
		"a web": posting(t, `{"$ref": "#/components/schemas/N0"}`,
			`, "components": {"schemas": {`+list(800, func(i int) string {
				return fmt.Sprintf(`"N%d": {"properties": {%s}}`, i, list(20, func(j int) string {
					return fmt.Sprintf(`"p%d": {"$ref": "#/components/schemas/N%d"}`, j, (i*20+j)%800)
				}))
			})+`}}`),
		"several types of several types": posting(t,
			`{"type": ["string", "object", "array"], "items": {"type": ["array", "object"], "properties": {"a": {"type": ["string", "number"]}}}}`, ""),
		"a giant example": posting(t, `{"type": "object", "example": {"a": "`+strings.Repeat("x", 400_000)+
			`"}, "default": [`+list(90_000, func(int) string { return "1" })+`]}`, ""),
		"wrong kinds": posting(t,
			`{"type": 5, "minimum": "1", "maxLength": {}, "enum": "x", "pattern": [], "properties": [], "items": true, "oneOf": {}, "discriminator": 7}`, ""),
	} {
		t.Run(name, func(t *testing.T) {
			page := New(context.Background(), in)
			if !page.Playable() {
				t.Fatal("no plan")
			}
			p := sound(t, page.plan)
			if len(p.Bodies) != 1 || len(p.Schemas) == 0 {
				t.Errorf("%d bodies, %d schemas", len(p.Bodies), len(p.Schemas))
			}
			if out := string(draw(in)); strings.Count(out, "<script") != 1 || strings.Count(out, "</script") != 1 {
				t.Error("the page has scripts other than the plan")
			}
		})
	}
}

// If a description has an absurd number of credentials, the page has no playground, but is otherwise complete.
func TestOversizedPlanIsOmitted(t *testing.T) {
	var schemes, needs []string
	for i := range 40 {
		schemes = append(schemes, fmt.Sprintf(`"s%d": {"type": "apiKey", "in": "header", "name": %q, "x-default": %q}`,
			i, strings.Repeat("<", 300), strings.Repeat("<", 900)))
		needs = append(needs, fmt.Sprintf(`{%s}`, strings.Join(func() (all []string) {
			for j := range 40 {
				all = append(all, fmt.Sprintf(`"s%d": [%q, %q]`, j, strings.Repeat("<", 300), strings.Repeat(">", 300)))
			}
			return all
		}(), ",")))
	}
	in := posting(t, `{}`, `, "security": [`+strings.Join(needs, ",")+`], "components": {"securitySchemes": {`+
		strings.Join(schemes, ",")+`}}`)
	if page := New(context.Background(), in); page.Playable() {
		sound(t, page.plan)
	}
}

// FuzzPlan renders the page of any description and checks that the plan is small, is JSON, cannot end the element that
// contains it, and refers only to schemas that it contains.
func FuzzPlan(f *testing.F) {
	for _, s := range []string{
		`{"type": "object", "properties": {"a": {"$ref": "#/paths/~1x/post/requestBody/content/application~1json/schema"}}}`,
		`{"oneOf": [{"type": "string"}, {"type": ["integer", "null"]}], "discriminator": {"propertyName": "k"}}`,
		`{"enum": ["</script>", 1, null, {"a": []}]}`, `{"type": "number", "exclusiveMinimum": 1e999, "minimum": -0}`,
		`{"$ref": "#"}`, `{"allOf": [{"$ref": "#/info"}]}`,
	} {
		f.Add(s, "https://{a}.example.com/{b}", "</script>")
	}
	f.Fuzz(func(t *testing.T, schema, server, text string) {
		quoted, _ := json.Marshal(text) // strings can always be encoded
		address, _ := json.Marshal(server)
		src := `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example.com"}, {"url": ` + string(address) + `, "variables": {"a": {"default": ` + string(quoted) + `}, "b": {"enum": [` + string(quoted) + `]}}}],
			"security": [{"k": [` + string(quoted) +
			`]}], "components": {"securitySchemes": {"k": {"type": "oauth2", "description": ` + string(quoted) +
			`, "flows": {"clientCredentials": {"tokenUrl": ` + string(address) + `, "scopes": {"s": ` +
			string(quoted) + `}}}}}},
			"paths": {"/x": {"post": {"parameters": [{"name": ` + string(quoted) + `, "in": "query", "description": ` +
			string(quoted) + `, "schema": ` + schema +
			`}], "requestBody": {"content": {"application/json": {"schema": ` + schema + `}}}, "responses": {}}}}}`
		set, _ := openapi.LoadSet(context.Background(),
			&openapi.Loader{FS: fstest.MapFS{"api.json": {Data: []byte(src)}}}, []string{"api.json"}, 1)
		page := &site.Page{Path: "x", Title: text,
			API: &site.APIRef{Kind: site.APIOperation, Spec: "api.json", Method: "POST", Path: "/x"}}
		in := Input{Page: page, Specs: set, Playground: capability.Playground{On: true, Proxy: capability.HasProxy},
			ProxyURL: capability.ProxyPath}
		if made := New(context.Background(), in); made.Playable() {
			sound(t, made.plan)
		}
		var o Origins
		o.Add(in)
		for _, origin := range o.List() {
			if again, ok := capability.Origin(origin); !ok || again != origin {
				t.Fatalf("%q is not an origin", origin)
			}
		}
	})
}
