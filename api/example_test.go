package api_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lectern-docs/lectern/api"
)

// examplesOf calls f for each example of a body.
func examplesOf(t *testing.T, doc object, name string, body any, f func(where string, media object, value any)) {
	t.Helper()
	content, _ := resolve(t, doc, body)["content"].(object)
	for kind, media := range content {
		examples, _ := media.(object)["examples"].(object)
		if len(examples) == 0 {
			t.Errorf("%s: %s has no example", name, kind)
		}
		for key, example := range examples {
			f(name+" "+kind+" "+key, media.(object), resolve(t, doc, example)["value"])
		}
	}
}

// part is a value with the schema that it must match.
type part struct{ schema, value any }

// parts splits an example into its values: the events of a stream, the lines of a file, or the example itself. For
// tables, it only checks that they can be parsed.
func parts(t *testing.T, where string, media object, value any) (out []part) {
	t.Helper()
	schema := media["schema"].(object)
	if schema["$ref"] != nil {
		return []part{{schema, value}}
	}
	text, _ := value.(string)
	events, stream := media["x-lectern-events"].(object)
	line, lines := media["x-lectern-line"]
	add := func(schema any, text string) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil || schema == nil {
			t.Fatalf("%s: %q: %v", where, text, err)
		}
		out = append(out, part{schema, value})
	}
	switch {
	case stream:
		for event := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			name, data, named := strings.Cut(event, "\n")
			if !named {
				name, data = "event: message", event
			}
			if data = strings.TrimPrefix(data, "data: "); data != "[DONE]" {
				add(events[strings.TrimPrefix(name, "event: ")], data)
			}
		}
	case lines:
		for one := range strings.Lines(text) {
			add(line, one)
		}
	case strings.Contains(where, "text/plain"): // the data stream of AI SDK 4: a code, a colon, a JSON value
		for one := range strings.Lines(text) {
			if code, value, ok := strings.Cut(strings.TrimSpace(one), ":"); !ok || len(code) != 1 ||
				!json.Valid([]byte(value)) {
				t.Errorf("%s: %q", where, one)
			}
		}
	default:
		if rows, err := csv.NewReader(strings.NewReader(text)).ReadAll(); err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", where, len(rows), err)
		}
	}
	return out
}

// TestEveryBodyHasAValidExample checks the bodies of requests and of successful responses.
func TestEveryBodyHasAValidExample(t *testing.T) {
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
	check := func(where string, media object, value any) {
		tried++
		for _, p := range parts(t, where, media, value) {
			name := (&url.URL{Fragment: strings.TrimPrefix(p.schema.(object)["$ref"].(string), "#")}).String()
			if err := compiler.MustCompile("openapi.json" + name).Validate(p.value); err != nil {
				t.Errorf("%s: %v", where, err)
			}
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
