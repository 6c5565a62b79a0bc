package jsonbody_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
)

type inner struct {
	Repository string  `json:"repository" required:"true"`
	Branch     *string `json:"branch"`
}

type body struct {
	Name  string   `json:"name" required:"true"`
	Inner *inner   `json:"inner"`
	Paths []string `json:"paths"`
	Days  *int     `json:"days" nullable:"true"`
	On    bool     `json:"on"`
	Deep  []inner  `json:"deep"`
}

func TestDecodeReadsAValidBody(t *testing.T) {
	var b body
	err := jsonbody.Decode([]byte(
		` {"name":"x","inner":{"repository":"r","branch":"main"},"paths":["a","b"],"days":null,"on":true} `), &b)
	if err != nil || b.Name != "x" || b.Inner.Repository != "r" || *b.Inner.Branch != "main" || len(b.Paths) != 2 ||
		b.Days != nil || !b.On {
		t.Fatalf("%+v %v", b, err)
	}
}

// A7: an invalid body is refused, and the response names the field.
func TestDecodeNamesTheWrongField(t *testing.T) {
	for in, want := range map[string]struct{ code, field string }{
		`{"name":"x","colour":1}`:                           {"unknown_field", "colour"},
		`{"name":"x","Name":"y"}`:                           {"unknown_field", "Name"},
		`{"name":"x","name":"y"}`:                           {"repeated_field", "name"},
		`{"name":"x","n\u0061me":"y"}`:                      {"repeated_field", "name"},
		`{"name":1}`:                                        {"invalid_field", "name"},
		`{"name":null}`:                                     {"invalid_field", "name"},
		`{"name":"a\u0000b"}`:                               {"invalid_field", "name"},
		`{"inner":{"repository":"r"}}`:                      {"missing_field", "name"},
		`{"name":"x","inner":{}}`:                           {"missing_field", "inner.repository"},
		`{"name":"x","inner":{"repository":[]}}`:            {"invalid_field", "inner.repository"},
		`{"name":"x","inner":{"repository":"r","extra":1}}`: {"unknown_field", "inner.extra"},
		`{"name":"x","inner":null}`:                         {"invalid_field", "inner"},
		`{"name":"x","paths":["a",2]}`:                      {"invalid_field", "paths.1"},
		`{"name":"x","paths":{}}`:                           {"invalid_field", "paths"},
		`{"name":"x","deep":[{"repository":"r","x":1}]}`:    {"unknown_field", "deep.0.x"},
		`{"name":"x","days":1.5}`:                           {"invalid_field", "days"},
		`{"name":"x","days":1e99}`:                          {"invalid_field", "days"},
		`{"name":"x","days":"7"}`:                           {"invalid_field", "days"},
		`{"name":"x","on":"yes"}`:                           {"invalid_field", "on"},
		`{"name":"x"} {}`:                                   {"invalid_json", ""},
		`{"name":"x"}]`:                                     {"invalid_json", ""},
		`{"name":"x",}`:                                     {"invalid_json", ""},
		`{'name':'x'}`:                                      {"invalid_json", ""},
		``:                                                  {"invalid_json", ""},
		`nul`:                                               {"invalid_json", ""},
		`null`:                                              {"invalid_field", ""},
		`[]`:                                                {"invalid_field", ""},
		`"x"`:                                               {"invalid_field", ""},
		"{\"name\":\"\xff\"}":                               {"invalid_json", ""},
		`{"name":"x","paths":` + strings.Repeat("[", 5000): {"invalid_field", "paths.0"},
	} {
		var b body
		err := jsonbody.Decode([]byte(in), &b)
		f, ok := fault.As(err)
		if !ok || f.Kind != fault.Invalid || f.Code != want.code || f.Field != want.field {
			t.Errorf("%.60q: %v (code %q field %q), want %v", in, err, f.Code, f.Field, want)
			continue
		}
		if want.field != "" && !strings.Contains(f.Public, want.field) {
			t.Errorf("%q: the sentence %q does not name the field", in, f.Public)
		}
	}
}

type nest struct {
	In []nest `json:"in"`
}

func TestDepthIsBounded(t *testing.T) {
	at := func(n int) string { return strings.Repeat(`{"in":[`, n) + strings.Repeat(`]}`, n) }
	if err := jsonbody.Decode([]byte(at(10)), new(nest)); err != nil {
		t.Errorf("depth 10: %v", err)
	}
	if err := jsonbody.Decode([]byte(at(30)), new(nest)); !fault.HasCode(err, "invalid_json") {
		t.Errorf("depth 30 pairs: %v", err)
	}
}

// Every input results in a fault, or in the same value as encoding/json.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"name":"x"}`, `{"name":"x","inner":{"repository":"r"}}`, `{"name":"x","days":7}`, `[`,
		`{"name":"\ud800"}`, `{"name":"x","paths":["a"]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got, want body
		if err := jsonbody.Decode(raw, &got); err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("not an invalid fault: %v", err)
			}
			return
		}
		if err := json.Unmarshal(raw, &want); err != nil || got.Name != want.Name {
			t.Fatalf("accepted what encoding/json refuses or reads differently: %v", err)
		}
	})
}
