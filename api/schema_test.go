package api_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/api"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// requestSchemas returns the names of the schemas that request bodies use.
func requestSchemas(doc object) map[string]bool {
	names := map[string]bool{}
	var collect func(v any)
	collect = func(v any) {
		walk("", v, func(_ string, o object) {
			name, ok := strings.CutPrefix(fmt.Sprint(o["$ref"]), "#/components/schemas/")
			if ok && !names[name] {
				names[name] = true
				collect(at(doc, "components", "schemas", name))
			}
		})
	}
	collect(at(doc, "components", "requestBodies"))
	operations(doc, func(_, _ string, _, op object) { collect(op["requestBody"]) })
	return names
}

// A7, A9: request bodies are closed, so that a mistyped field is never ignored; responses are open, so that fields can
// be added; nullable fields are always present.
func TestRequestSchemasAreClosedAndResponseSchemasOpen(t *testing.T) {
	doc := load(t)
	requests := requestSchemas(doc)
	// Chat clients add their own members to a question, and scanners and code hosts to a report; they are ignored.
	open := []string{"AskAssistant", "AssistantMessage", "AssistantMessagePart", "AssistantContext", "AssistantFilter",
		"LeakedKey", "PushForm"}
	walk("", at(doc, "components", "schemas"), func(where string, o object) {
		properties, ok := o["properties"].(object)
		if !ok || o["type"] != "object" {
			return
		}
		name := strings.Split(where, "/")[1]
		want := requests[name] && !slices.Contains(open, name)
		if closed := o["additionalProperties"] == false; closed != want {
			t.Errorf("%s: closed is %v, want %v", where, closed, want)
		}
		var required []string
		list, _ := o["required"].([]any)
		for _, r := range list {
			required = append(required, r.(string))
			if properties[r.(string)] == nil {
				t.Errorf("%s requires %v, which it does not have", where, r)
			}
		}
		if requests[name] || name == "Error" {
			return
		}
		for p := range properties {
			if !slices.Contains(required, p) {
				t.Errorf("%s: %s may be missing from a response", where, p)
			}
		}
	})
}

// Client generators invent bad names for schemas nested inside others.
func TestObjectsAndListsOfValuesAreNamed(t *testing.T) {
	doc := load(t)
	schemas := at(doc, "components", "schemas")
	walk("", schemas, func(where string, o object) {
		if strings.Count(where, "/") > 1 && (o["type"] == "object" && o["properties"] != nil || o["enum"] != nil) {
			t.Errorf("%s is not a separate component", where)
		}
	})
	operations(doc, func(_, _ string, _, op object) {
		walk(op["operationId"].(string), []any{op["requestBody"], op["responses"]}, func(where string, o object) {
			if schema, ok := o["schema"].(object); ok && schema["$ref"] == nil && schema["type"] != "string" {
				if !strings.Contains(where, "/headers/") {
					t.Errorf("%s: the body's schema is not a component", where)
				}
			}
		})
	})
}

func TestSchemasCompileAndExamplesAreValid(t *testing.T) {
	doc := load(t)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	data, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	exact, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("openapi.json", exact); err != nil {
		t.Fatal(err)
	}
	for name, schema := range at(doc, "components", "schemas") {
		compiled, err := compiler.Compile("openapi.json#/components/schemas/" + name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		examples, _ := schema.(object)["examples"].([]any)
		for _, example := range examples {
			if err := compiled.Validate(example); err != nil {
				t.Errorf("example of %s: %v", name, err)
			}
		}
	}
	for name, bad := range map[string]any{
		"StartExport":   object{"domain": "https://docs.example.com"},
		"CreateProject": object{"name": "x", "domain": "a.example", "source": object{"path": "/x", "repository": "y"}},
		"CreateKey":     object{"expiresInDays": 8.0},
		"UpdateProject": object{"domains": []any{}},
		"ExportJob":     object{"jobId": "se_x"},
		"EmptyObject":   object{"x": 1.0},

		"CreateAgentJob":  object{"prompt": ""},
		"MessageAgentJob": object{"prompt": "x", "branch": "main"},
	} {
		if compiler.MustCompile("openapi.json#/components/schemas/"+name).Validate(bad) == nil {
			t.Errorf("%s accepts %v", name, bad)
		}
	}
}
