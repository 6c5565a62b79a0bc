package api_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lectern-docs/lectern/api"
)

// examplesOf calls f for each example of a body.
func examplesOf(t *testing.T, doc object, name string, body any, f func(where string, schema, value any)) {
	t.Helper()
	content, _ := resolve(t, doc, body)["content"].(object)
	for kind, media := range content {
		examples, _ := media.(object)["examples"].(object)
		if len(examples) == 0 {
			t.Errorf("%s: %s has no example", name, kind)
		}
		for key, example := range examples {
			f(name+" "+kind+" "+key, media.(object)["schema"], resolve(t, doc, example)["value"])
		}
	}
}

// TestEveryBodyHasAnExampleThatFits looks at bodies of requests and of success.
func TestEveryBodyHasAnExampleThatFits(t *testing.T) {
	data, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	exact, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", exact); err != nil {
		t.Fatal(err)
	}
	doc, tried := exact.(object), 0
	check := func(where string, schema, value any) {
		tried++
		ref, ok := schema.(object)["$ref"].(string)
		if !ok {
			if _, text := value.(string); !text {
				t.Errorf("%s: the example is no text", where)
			}
			return
		}
		if err := compiler.MustCompile("openapi.json" + (&url.URL{Fragment: ref[1:]}).String()).Validate(value); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	operations(doc, func(_, _ string, _, op object) {
		id := op["operationId"].(string)
		if body, ok := op["requestBody"]; ok {
			examplesOf(t, doc, id+" request", body, check)
		}
		for status, response := range at(op, "responses") {
			if strings.HasPrefix(status, "2") {
				examplesOf(t, doc, id+" "+status, response, check)
			}
		}
	})
	if tried < 100 {
		t.Errorf("only %d examples", tried)
	}
}
