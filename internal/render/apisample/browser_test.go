package apisample

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/web/theme"
)

// The playground generates samples in the reader's browser whenever the request changes. They must be byte-for-byte
// identical to the samples that the build generates.

// asker receives a request as JSON and returns the samples in all languages.
const asker = `
import { readJSON } from "./json";
import { SAMPLES, writeSample } from "./sample";
globalThis.ask = (arg) => {
  const r = JSON.parse(arg);
  if (r.body.value !== undefined) r.body.value = readJSON(r.body.value);
  return JSON.stringify(Object.keys(SAMPLES).map((key) => [key, SAMPLES[key][0], writeSample(key, r)]));
};`

func inBrowser(t *testing.T) *jsrun.Script {
	t.Helper()
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/playground/asked.ts", Text: asker}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	script, err := jsrun.OpenScript(code, "ask")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = script.Close() })
	return script
}

// plainRequest returns a request as the script reads it.
func plainRequest(r Request) map[string]any {
	heads := []map[string]any{}
	for _, h := range r.Headers {
		heads = append(heads, map[string]any{"name": h.Name, "value": h.Value})
	}
	fields := []map[string]any{}
	for _, f := range r.Body.Fields {
		fields = append(fields, map[string]any{"name": f.Name, "value": f.Value, "file": f.File})
	}
	kind := map[Kind]string{None: "none", JSON: "json", Text: "text", Form: "form", Multipart: "multipart",
		File: "file"}[r.Body.Kind]
	body := map[string]any{"kind": kind, "type": r.Body.Type, "text": r.Body.Text, "fields": fields}
	if r.Body.Kind == JSON {
		body["value"] = r.Body.Value.JSON()
	}
	return map[string]any{"method": r.Method, "url": r.URL, "headers": heads, "body": body}
}

func sameInBrowser(t *testing.T, script *jsrun.Script, name string, r Request) {
	t.Helper()
	arg, err := json.Marshal(plainRequest(r))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := script.Call(string(arg))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var got [][3]string
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	list := all()
	if len(got) != len(list) {
		t.Fatalf("%d languages in the browser, %d here", len(got), len(list))
	}
	for i, l := range list {
		if got[i][0] != l.Key || got[i][1] != l.Title {
			t.Fatalf("language %d is %v in the browser, %s here", i, got[i][:2], l.Key)
		}
		if want := l.Write(r); got[i][2] != want {
			t.Fatalf("%s in %s\nin the browser:\n%s\nhere:\n%s", name, l.Key, got[i][2], want)
		}
	}
}

func TestBrowserAndBuildGenerateTheSameSamples(t *testing.T) {
	script := inBrowser(t)
	for name, r := range requests() {
		sameInBrowser(t, script, name, r)
	}
	long := jsontree.NewObject()
	for i := range 3000 { // more members than a sample shows
		long.Set(jsontree.Member{Key: "é" + strings.Repeat("k", i%40) + string(rune('a'+i%26)),
			Value: text(strings.Repeat("wörd ", i%9))})
	}
	sameInBrowser(t, script, "long", Request{Method: "POST", URL: "https://a.example",
		Body: Body{Kind: JSON, Type: "application/json", Value: long}})
	dice := dice{rand.New(rand.NewPCG(9, 9))}
	for range 400 {
		sameInBrowser(t, script, "by chance", dice.request())
	}
}

// dice generates random requests from text that is hard to quote.
type dice struct{ *rand.Rand }

func (d dice) text() string {
	pieces := []string{"a", "B7", " ", "'", `"`, "\\", "\n", "\r", "\t", "\x01", "\x7f", "$", "`", "#", `"#`, `"##`,
		"%", "&", "=", "é", "漢", "😀", "\u0085", "\u00a0", "\ufeff", "\ufffd", "\u2028", "*/", "{id}", "<token>", "!()*",
		"~", "+", ",", ";", "//", "?"}
	var b strings.Builder
	for range d.IntN(7) {
		b.WriteString(pieces[d.IntN(len(pieces))])
	}
	return b.String()
}

func (d dice) value(depth int) *jsontree.Value {
	switch n := d.IntN(8); {
	case n == 0:
		return &jsontree.Value{}
	case n == 1:
		return &jsontree.Value{Kind: jsontree.Bool, Str: []string{"true", "false"}[d.IntN(2)]}
	case n == 2:
		return &jsontree.Value{Kind: jsontree.Number,
			Str: []string{"0", "-1.50", "12345678901234567890", "1e400"}[d.IntN(4)]}
	case n < 5 || depth > 4:
		return text(d.text())
	case n == 5:
		list := &jsontree.Value{Kind: jsontree.List}
		for range d.IntN(4) {
			list.Items = append(list.Items, d.value(depth+1))
		}
		return list
	}
	object := jsontree.NewObject()
	for range d.IntN(4) {
		object.Set(jsontree.Member{Key: d.text() + []string{"", "1", "0"}[d.IntN(3)], Value: d.value(depth + 1)})
	}
	return object
}

func (d dice) request() Request {
	r := Request{Method: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}[d.IntN(7)],
		URL: "https://api.example.com/" + d.text() + "?" + Query(d.text(), d.text())}
	for range d.IntN(3) {
		r.Headers = append(r.Headers, Header{"X-" + d.text(), d.text()})
	}
	r.Body.Kind = Kind(d.IntN(6))
	r.Body.Type = []string{"application/json", "multipart/form-data", "text/plain; charset=utf-8", ""}[d.IntN(4)]
	switch r.Body.Kind {
	case JSON:
		r.Body.Value = d.value(0)
	case Text:
		r.Body.Text = d.text()
	case Form, Multipart:
		for range d.IntN(4) {
			r.Body.Fields = append(r.Body.Fields,
				Field{Name: d.text(), Value: d.text(), File: r.Body.Kind == Multipart && d.IntN(2) == 0})
		}
	}
	return r
}
