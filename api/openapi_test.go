package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/api"
)

type object = map[string]any

func load(t *testing.T) object {
	t.Helper()
	data, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc object
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// at returns the object at a path in a document. It panics on a wrong path, which fails the test.
func at(v any, path ...string) object {
	for _, p := range path {
		v = v.(object)[p]
	}
	return v.(object)
}

// operations calls f for every operation of the description.
func operations(doc object, f func(path, method string, item, op object)) {
	for _, path := range slices.Sorted(maps.Keys(at(doc, "paths"))) {
		item := at(doc, "paths", path)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			if method != "parameters" {
				f(path, method, item, item[method].(object))
			}
		}
	}
}

// resolve follows v if it is a reference within the document.
func resolve(t *testing.T, doc object, v any) object {
	t.Helper()
	o := v.(object)
	ref, ok := o["$ref"].(string)
	if !ok {
		return o
	}
	var to any = doc
	for _, part := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		next, ok := to.(object)[part]
		if !ok {
			t.Fatalf("%s does not resolve", ref)
		}
		to = next
	}
	return to.(object)
}

// walk calls f for every object in v.
func walk(where string, v any, f func(where string, o object)) {
	switch x := v.(type) {
	case object:
		f(where, x)
		for k, child := range x {
			walk(where+"/"+k, child, f)
		}
	case []any:
		for i, child := range x {
			walk(fmt.Sprintf("%s/%d", where, i), child, f)
		}
	}
}

func TestJSONOfNamesTheServer(t *testing.T) {
	text, err := api.JSONOf("https://lectern.example.com")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var served, file object
	for text, into := range map[string]*object{string(text): &served, string(plain): &file} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	if got := served["servers"].([]any)[0].(object)["url"]; got != "https://lectern.example.com" {
		t.Errorf("the server is %v", got)
	}
	if got := file["servers"].([]any)[0].(object)["url"]; got != "http://127.0.0.1:8080" {
		t.Errorf("the file's server is %v", got)
	}
	delete(served, "servers")
	delete(file, "servers")
	if !reflect.DeepEqual(served, file) {
		t.Error("more than the address differs")
	}
}

func TestJSONKeepsFileOrderAndIsStable(t *testing.T) {
	first, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if again, err := api.JSON(); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("a second call returns different bytes (%v)", err)
		}
	}
	last := -1
	for _, key := range []string{`"openapi"`, `"info"`, `"/v1/static-export/jobs"`, `"/v1/projects"`, `"/readyz"`,
		`"components"`, `"NewKey"`, `"Readiness"`} {
		i := bytes.Index(first, []byte(key+":"))
		if i <= last {
			t.Errorf("%s is not in the file's order", key)
		}
		last = i
	}
}

// YAML parsers disagree about aliases and merge keys, and an unquoted comma in a flow mapping silently creates a key
// without a value.
func TestFileUsesOnlyPortableYAML(t *testing.T) {
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	var check func(n *yaml.Node, parent string)
	check = func(n *yaml.Node, parent string) {
		if n.Kind == yaml.AliasNode || n.Anchor != "" {
			t.Errorf("line %d: an anchor or alias", n.Line)
			return
		}
		for i, child := range n.Content {
			name := parent
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				if child.Tag == "!!merge" || child.Tag != "!!str" {
					t.Errorf("line %d: key %s is not a string", child.Line, child.Value)
				}
				continue
			}
			if n.Kind == yaml.MappingNode {
				name = n.Content[i-1].Value
			}
			if name == "example" || name == "examples" {
				continue
			}
			if child.Tag == "!!null" {
				t.Errorf("line %d: %s is null; quote a text, and leave null out of lists of values", child.Line, name)
			}
			check(child, name)
		}
	}
	check(&root, "")
}

func TestDescriptionHasSpecifiedVersions(t *testing.T) {
	doc := load(t)
	if doc["openapi"] != "3.1.0" || at(doc, "info")["version"] != "2.0.0" {
		t.Errorf("openapi %v, version %v", doc["openapi"], at(doc, "info")["version"])
	}
}

func TestReferencesResolveAndComponentsAreUsed(t *testing.T) {
	doc := load(t)
	used := map[string]bool{"#/components/responses/MethodNotAllowed": true} // used by every path; see the introduction
	walk("#", doc, func(_ string, o object) {
		if ref, ok := o["$ref"].(string); ok {
			resolve(t, doc, o)
			used[ref] = true
		}
	})
	for kind, members := range at(doc, "components") {
		for name := range members.(object) {
			if ref := "#/components/" + kind + "/" + name; kind != "securitySchemes" && !used[ref] {
				t.Errorf("%s is never used", ref)
			}
		}
	}
}

func TestEveryOperationIsDescribed(t *testing.T) {
	doc := load(t)
	ids := map[string]bool{}
	operations(doc, func(path, method string, _, op object) {
		id, _ := op["operationId"].(string)
		if id == "" || ids[id] {
			t.Errorf("%s %s: operationId %q is missing or taken", method, path, id)
		}
		ids[id] = true
		for _, field := range []string{"summary", "description"} {
			if text, _ := op[field].(string); text == "" {
				t.Errorf("%s has no %s", id, field)
			}
		}
		wantScope := map[bool]string{true: "read", false: "write"}[method == "get"]
		if strings.HasPrefix(path, "/discovery/") {
			wantScope = "discovery"
		}
		for _, managed := range []string{"/v1/members", "/v1/invitations", "/v1/keys", "/v1/credentials", "/v1/webhook-endpoints",
			"/v1/projects/{projectId}/members"} {
			if strings.HasPrefix(path, managed) {
				wantScope = "admin"
			}
		}
		if path == "/v1/organization" && method != "get" {
			wantScope = "admin"
		}
		_, open := op["security"]
		if open {
			wantScope = "none"
		}
		if op["x-lectern-scope"] != wantScope {
			t.Errorf("%s: scope %v, want %s", id, op["x-lectern-scope"], wantScope)
		}
		if export := strings.HasPrefix(path, "/v1/static-export/"); export != (op["x-lectern-plan"] == "enterprise") {
			t.Errorf("%s: static export, and only that, needs the enterprise plan", id)
		}
	})
	if len(ids) != 121 {
		t.Errorf("%d operations, want 121", len(ids))
	}
}

// A1: an operation's possible responses follow from its scope, its request body and its parameters.
func TestEveryOperationHasCommonResponses(t *testing.T) {
	doc := load(t)
	operations(doc, func(path, method string, item, op object) {
		id := op["operationId"].(string)
		responses := at(op, "responses")
		need := []string{"500"}
		if op["x-lectern-scope"] != "none" {
			need = append(need, "401", "403", "429")
		}
		if _, body := op["requestBody"]; body {
			need = append(need, "400", "413", "415")
		} else if method == "post" || method == "patch" {
			t.Errorf("%s does not declare a request body", id)
		}
		if strings.Contains(path, "{") {
			need = append(need, "404")
		}
		names := parameterNames(t, doc, item, op)
		if slices.Contains(names, "limit") {
			need = append(need, "400")
		}
		if slices.Contains(names, "If-None-Match") {
			need = append(need, "304")
			if h := at(responses, "200", "headers"); h["ETag"] == nil {
				t.Errorf("%s takes If-None-Match but returns no ETag", id)
			}
		}
		if op["x-lectern-idempotent"] == true != slices.Contains(names, "Idempotency-Key") {
			t.Errorf("%s: x-lectern-idempotent and the header disagree", id)
		}
		if op["x-lectern-idempotent"] == true {
			need = append(need, "409")
		}
		for _, status := range need {
			if responses[status] == nil {
				t.Errorf("%s lacks the response %s", id, status)
			}
		}
	})
}

func parameterNames(t *testing.T, doc, item, op object) []string {
	t.Helper()
	var names []string
	for _, list := range []any{item["parameters"], op["parameters"]} {
		params, _ := list.([]any)
		for _, p := range params {
			names = append(names, resolve(t, doc, p)["name"].(string))
		}
	}
	return names
}

func TestEveryPathParameterIsDeclared(t *testing.T) {
	doc := load(t)
	operations(doc, func(path, _ string, item, op object) {
		names := parameterNames(t, doc, item, op)
		for _, part := range strings.Split(path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok && !slices.Contains(names, strings.TrimSuffix(name, "}")) {
				t.Errorf("%s: %s is not declared", path, part)
			}
		}
	})
}

// A2, A3: every response declares the request id, and all errors share one schema and its headers.
func TestResponsesDeclareHeadersAndErrorsShareOneSchema(t *testing.T) {
	doc := load(t)
	extra := map[string]string{"401": "WWW-Authenticate", "429": "Retry-After", "304": "ETag"}
	operations(doc, func(_, _ string, _, op object) {
		for status, r := range at(op, "responses") {
			name := fmt.Sprintf("%s %s", op["operationId"], status)
			response := resolve(t, doc, r)
			headers := at(response, "headers")
			for _, h := range []string{"X-Request-Id", extra[status]} {
				if h != "" && headers[h] == nil {
					t.Errorf("%s lacks the header %s", name, h)
				}
			}
			if op["x-lectern-scope"] != "none" && status < "300" && headers["RateLimit-Remaining"] == nil {
				t.Errorf("%s lacks the rate-limit headers", name)
			}
			content, _ := response["content"].(object)
			switch {
			case status >= "400":
				if at(content, "application/json", "schema")["$ref"] != "#/components/schemas/Error" {
					t.Errorf("%s is not an Error", name)
				}
			case status == "204" || status == "304":
				if content != nil {
					t.Errorf("%s has a body", name)
				}
			case content == nil:
				t.Errorf("%s has no body", name)
			}
		}
	})
}
