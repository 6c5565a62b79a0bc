package browser

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
)

// style is one parameter and its serialization by the rules of OpenAPI. Its name starts with the kind of its value:
// one, list or map.
type style struct {
	in, style string
	explode   bool
	kind      string
	want      string // as it appears in the request
}

func (s style) name() string {
	x := ""
	if s.explode {
		x = "X"
	}
	return s.kind + strings.ToUpper(s.style[:1]) + s.style[1:] + x
}

// styles lists the combinations of location, style, explode and kind that OpenAPI defines, with the values "a b", [a b,
// c] and {x: 1, y: z}.
var styles = []style{
	{"path", "simple", false, "one", "a%20b"}, {"path", "simple", false, "list", "a%20b,c"},
	{"path", "simple", false, "map", "x,1,y,z"},
	{"path", "simple", true, "one", "a%20b"}, {"path", "simple", true, "list", "a%20b,c"},
	{"path", "simple", true, "map", "x=1,y=z"},
	{"path", "label", false, "one", ".a%20b"}, {"path", "label", false, "list", ".a%20b,c"},
	{"path", "label", false, "map", ".x,1,y,z"},
	{"path", "label", true, "one", ".a%20b"}, {"path", "label", true, "list", ".a%20b.c"},
	{"path", "label", true, "map", ".x=1.y=z"},
	{"path", "matrix", false, "one", ";oneMatrix=a%20b"}, {"path", "matrix", false, "list", ";listMatrix=a%20b,c"},
	{"path", "matrix", false, "map", ";mapMatrix=x,1,y,z"},
	{"path", "matrix", true, "one", ";oneMatrixX=a%20b"}, {"path", "matrix", true, "list",
		";listMatrixX=a%20b;listMatrixX=c"}, {"path", "matrix", true, "map", ";x=1;y=z"},
	{"query", "form", false, "one", "oneForm=a%20b"}, {"query", "form", false, "list", "listForm=a%20b,c"},
	{"query", "form", false, "map", "mapForm=x,1,y,z"},
	{"query", "form", true, "one", "oneFormX=a%20b"}, {"query", "form", true, "list", "listFormX=a%20b&listFormX=c"},
	{"query", "form", true, "map", "x=1&y=z"},
	{"query", "spaceDelimited", false, "list", "listSpaceDelimited=a%20b%20c"},
	{"query", "spaceDelimited", false, "map", "mapSpaceDelimited=x%201%20y%20z"},
	{"query", "pipeDelimited", false, "list", "listPipeDelimited=a%20b%7Cc"},
	{"query", "pipeDelimited", false, "map", "mapPipeDelimited=x%7C1%7Cy%7Cz"},
	{"query", "deepObject", true, "map", "mapDeepObjectX%5Bx%5D=1&mapDeepObjectX%5By%5D=z"},
	{"header", "simple", false, "one", "a b"}, {"header", "simple", false, "list", "a b,c"},
	{"header", "simple", false, "map", "x,1,y,z"},
	{"header", "simple", true, "list", "a b,c"}, {"header", "simple", true, "map", "x=1,y=z"},
	{"cookie", "form", false, "one", "oneForm=a%20b"}, {"cookie", "form", false, "list", "listForm=a%20b,c"},
	{"cookie", "form", false, "map", "mapForm=x,1,y,z"},
	{"cookie", "form", true, "one", "oneFormX=a%20b"}, {"cookie", "form", true, "list", "listFormX=a%20b&listFormX=c"},
	{"cookie", "form", true, "map", "x=1&y=z"},
}

type object = map[string]any

// stylesOperation returns an operation with every style as a required parameter with an example, so that the form is
// filled in from the start.
func stylesOperation() (path string, op object) {
	path = "/styles"
	schemas := map[string]object{
		"one": {"type": "string"}, "list": {"type": "array", "items": object{"type": "string"}},
		"map": {"type": "object", "properties": object{"x": object{"type": "integer"}, "y": object{"type": "string"}}},
	}
	examples := map[string]any{"one": "a b", "list": []any{"a b", "c"}, "map": json.RawMessage(`{"x": 1, "y": "z"}`)}
	var list []any
	for _, s := range styles {
		name := s.name()
		if s.in == "path" {
			path += "/{" + name + "}"
		}
		if s.in == "header" {
			name = "X-" + name
		}
		list = append(list, object{"name": name, "in": s.in, "required": true, "style": s.style, "explode": s.explode,
			"schema": schemas[s.kind], "example": examples[s.kind]})
	}
	list = append(list,
		object{"name": "reserved", "in": "query", "required": true, "allowReserved": true,
			"schema": object{"type": "string"}, "example": "a/b?c&d e"},
		object{"name": "json", "in": "query", "required": true,
			"content": object{"application/json": object{"schema": schemas["map"],
				"example": json.RawMessage(`{"x": 1, "y": "z"}`)}}, "example": json.RawMessage(`{"x": 1, "y": "z"}`)},
		object{"name": "limit", "in": "query", "schema": object{"type": "integer", "minimum": 1, "maximum": 10}})
	return path, object{"summary": "Styles", "parameters": list,
		"responses": object{"200": object{"description": "OK"}}}
}

var (
	answers = object{"200": object{"description": "OK"}}
	pet     = object{"type": "object", "required": []string{"name", "kind"}, "properties": object{
		"name": object{"type": "string", "minLength": 2}, "id": object{"type": "integer", "readOnly": true},
		"tags": object{"type": "array", "items": object{"type": "string"}},
		"size": object{"type": "string", "enum": []string{"small", "large"}},
		"home": object{"type": "object", "nullable": true, "properties": object{"street": object{"type": "string"}}},
		"owner": object{"type": "object", "properties": object{"email": object{"type": "string"},
			"password": object{"type": "string", "format": "password"}}},
		"kind": object{"oneOf": []any{object{"$ref": "#/components/schemas/Cat"},
			object{"$ref": "#/components/schemas/Dog"}},
			"discriminator": object{"propertyName": "type",
				"mapping": object{"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}},
		"more": object{"type": "object", "additionalProperties": object{"type": "integer"}},
		"note": object{"type": "string", "nullable": true},
	}}
)

// petAPI returns a description of everything that the playground supports.
func petAPI(server string) string {
	path, styled := stylesOperation()
	host := strings.TrimPrefix(server, "http://")
	get := func(summary string) object { return object{"get": object{"summary": summary, "responses": answers}} }
	secured := func(summary string, ways ...object) object {
		return object{"get": object{"summary": summary, "security": ways, "responses": answers}}
	}
	upload := object{"type": "object", "required": []string{"photo"}, "properties": object{
		"photo":   object{"type": "string", "format": "binary"},
		"pages":   object{"type": "array", "items": object{"type": "string", "format": "binary"}},
		"caption": object{"type": "string", "example": "Fünf"}, "meta": object{"type": "object",
			"properties": object{"n": object{"type": "integer", "example": 5}}, "example": object{"n": 5}}}}
	spec := object{
		"openapi": "3.0.3", "info": object{"title": "Pets", "version": "1"},
		"servers": []any{object{"url": "{scheme}://" + host + "/{base}", "variables": object{
			"scheme": object{"default": "http", "enum": []string{"http", "https"}}, "base": object{"default": "v1"}}},
			object{"url": server, "description": "Plain"}},
		"paths": object{
			path: object{"get": styled},
			"/pets": object{"post": object{"summary": "Create", "requestBody": object{"required": true,
				"content": object{"application/json": object{"schema": pet}}}, "responses": answers}},
			"/upload": object{"put": object{"summary": "Upload",
				"requestBody": object{"required": true, "content": object{
					"multipart/form-data": object{"schema": upload,
						"encoding": object{"photo": object{"contentType": "image/png"}}}}}, "responses": answers}},
			"/form": object{"post": object{"summary": "Form", "requestBody": object{"required": true,
				"content": object{"application/x-www-form-urlencoded": object{"schema": object{
					"type": "object", "properties": object{"q": object{"type": "string", "example": "a&b"},
						"ids": object{"type": "array", "items": object{"type": "integer"}, "example": []int{1, 2}},
						"o": object{"type": "object", "properties": object{"k": object{"type": "string"}},
							"example": object{"k": "v"}}}}}}}, "responses": answers}},
			"/text": object{"patch": object{"summary": "Text",
				"requestBody": object{"required": true,
					"content": object{"application/xml": object{"schema": object{"type": "string"}}}},
				"responses": answers}},
			"/raw": object{"post": object{"summary": "Raw",
				"requestBody": object{"required": true,
					"content": object{"application/octet-stream": object{"schema": object{"type": "string",
						"format": "binary"}}}}, "responses": answers}},
			"/auth": secured("Keys", object{"header": []any{}}, object{"query": []any{}},
				object{"cookie": []any{}}, object{"bearer": []any{}}, object{"basic": []any{}},
				object{"oauth": []string{"read"}}, object{"oidc": []any{}}),
			"/kind/{kind}": object{"get": object{"summary": "Kinds",
				"parameters": []any{object{"name": "kind", "in": "path", "required": true,
					"schema": object{"type": "string", "enum": []string{"image", "html", "svg", "events", "empty",
						"binary", "error", "slow"}}}}, "responses": answers}},
			"/plain": get("Plain"),
		},
		"components": object{
			"schemas": object{
				"Cat": object{"type": "object", "required": []string{"type"},
					"properties": object{"type": object{"type": "string"},
						"lives": object{"type": "integer", "default": 9}}},
				"Dog": object{"type": "object", "required": []string{"type", "barks"},
					"properties": object{"type": object{"type": "string"}, "barks": object{"type": "boolean"}}},
			},
			"securitySchemes": object{
				"header": object{"type": "apiKey", "in": "header", "name": "X-Key"},
				"query":  object{"type": "apiKey", "in": "query", "name": "key"},
				"cookie": object{"type": "apiKey", "in": "cookie", "name": "sid"}, "bearer": object{"type": "http",
					"scheme": "bearer"}, "basic": object{"type": "http", "scheme": "basic"},
				"oauth": object{"type": "oauth2",
					"flows": object{"clientCredentials": object{"tokenUrl": server + "/token",
						"scopes": object{"read": "Read", "write": "Write"}}}},
				"oidc": object{"type": "openIdConnect", "openIdConnectUrl": server + "/oidc"},
			},
		},
	}
	data, err := json.Marshal(spec)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// petDocs returns a site about an API.
func petDocs(server string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"docs.json": file(`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"groups": [
			{"group": "Guide", "pages": ["index"]}, {"group": "API", "openapi": "api.json"}]}}`),
		"index.mdx": file("---\ntitle: Home\n---\nWelcome.\n"), "api.json": file(petAPI(server)),
	}
}

// playground serves the site about an API under the rules of published sites; the proxy may call the API although it is
// on this machine (F6).
func playground(t *testing.T, server string, play capability.Playground) *httptest.Server {
	t.Helper()
	return playgroundBehind(t, server, play, play.Proxy == capability.HasProxy)
}

// playgroundBehind is like playground, but serves the site with or without a proxy, whatever its pages say.
func playgroundBehind(t *testing.T, server string, play capability.Playground, proxy bool) *httptest.Server {
	t.Helper()
	return playgroundOf(t, petDocs(server), play, proxy, server)
}

// playgroundOf serves a site whose proxy, if it has one, may call servers.
func playgroundOf(t *testing.T, docs fstest.MapFS, play capability.Playground, proxy bool,
	servers ...string) *httptest.Server {
	t.Helper()
	built := &sitehost.Built{}
	report, err := build.Build(t.Context(), docs,
		build.Options{Offers: capability.Offers{Search: true, Playground: play}}, built)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnostics {
		t.Logf("built with %s", d)
	}
	opt := sitehost.Options{CacheBytes: 1 << 20, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
	if proxy {
		opt.Endpoints = map[string]siteapi.Endpoint{capability.ProxyPath: apiproxy.New(
			apiproxy.Options{Origins: servers, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})}
	}
	s := httptest.NewServer(http.HandlerFunc(sitehost.Single(opt, built).ServeHTTP))
	t.Cleanup(s.Close)
	return s
}

func operationPage(title string) string {
	return fmt.Sprintf("/api-reference/%s", strings.ToLower(title))
}
