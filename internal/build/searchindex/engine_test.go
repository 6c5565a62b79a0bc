package searchindex_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
	"github.com/lectern-docs/lectern/web/theme"
)

// driver lets a test provide the files that the browser's engine requests. It takes {text, options} and returns {need}
// or {hits}; it takes {files}, and then {} to continue the search that needed them.
const driver = `
import { search } from "./rank";
import { parseShard, unpack } from "./unpack";
const files = {};
let x, steps, names;
globalThis.ask = (arg) => {
  const call = JSON.parse(arg);
  if (call.files) {
    for (const [file, text] of call.files) {
      globalThis.lecternIndex = (name, value) => {
        if (name === "index") x = unpack(value);
        else files[file] = parseShard(name, value);
      };
      (0, eval)(text);
    }
    return "{}";
  }
  let step;
  if (call.options) {
    steps = search(x, call.text, call.options);
    step = steps.next();
  } else {
    step = steps.next(names.map((n) => files[n]));
  }
  while (!step.done) {
    names = step.value.map(x.file);
    const missing = names.filter((n) => !(n in files));
    if (missing.length) return JSON.stringify({ need: missing });
    step = steps.next(names.map((n) => files[n]));
  }
  return JSON.stringify(step.value);
};`

// every makes comparisons on large sites run all their queries, which is slow in the browser's engine.
var every = flag.Bool("every", tier.Nightly, "compare the answers to every question")

// questionsOf returns how many of n queries to run.
func questionsOf(n int) int {
	if *every {
		return n
	}
	return n / 12
}

// browser runs the browser's search engine in a JavaScript engine.
type browser struct {
	t      *testing.T
	script *jsrun.Script
	files  map[string][]byte
	read   []string
}

func newBrowser(t *testing.T, files map[string][]byte) *browser {
	t.Helper()
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/search/asked.ts", Text: driver}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	script, err := jsrun.OpenScript(code, "ask")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = script.Close() })
	b := &browser{t: t, script: script, files: files}
	b.load(searchindex.EntryName)
	return b
}

func (b *browser) load(names ...string) {
	b.t.Helper()
	var texts [][2]string
	for _, n := range names {
		data, ok := b.files[n]
		if !ok {
			b.t.Fatalf("the engine asks for %q, which does not exist", n)
		}
		texts = append(texts, [2]string{n, string(data)})
		b.read = append(b.read, n)
	}
	b.call(map[string]any{"files": texts}, nil)
}

func (b *browser) call(arg, to any) {
	b.t.Helper()
	text, err := json.Marshal(arg)
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := b.script.Call(string(text))
	if err != nil {
		b.t.Fatalf("%.300s: %v", text, err)
	}
	if to != nil {
		if err := json.Unmarshal([]byte(answer), to); err != nil {
			b.t.Fatalf("%s: %v", answer, err)
		}
	}
}

// jsHit is a hit as returned by the browser's engine.
type jsHit struct {
	Path, Anchor, Title, Heading string
	Crumbs                       []string
	Snippet                      [][2]any
	Score                        float64
}

type jsAnswer struct {
	Need []string
	Hits []jsHit
	More bool
}

func (b *browser) search(q searchindex.Query) jsAnswer {
	b.t.Helper()
	ask := map[string]any{"text": q.Text, "options": map[string]any{"limit": q.Limit, "language": q.Language,
		"version": q.Version, "tag": q.Tag, "texts": q.Texts, "whole": q.Whole}}
	for range 20 {
		var answer jsAnswer
		b.call(ask, &answer)
		if answer.Need == nil {
			return answer
		}
		b.load(answer.Need...)
		ask = map[string]any{} // continue the search
	}
	b.t.Fatalf("%q: the engine never stops requesting files", q.Text)
	return jsAnswer{}
}

// compare runs a query in both engines, with and without a budget, and reports differences.
func compare(t *testing.T, x *searchindex.Index, b *browser, q searchindex.Query) (hits int) {
	t.Helper()
	compareOne(t, x, b, q)
	q.Whole = true
	return compareOne(t, x, b, q)
}

func compareOne(t *testing.T, x *searchindex.Index, b *browser, q searchindex.Query) (hits int) {
	t.Helper()
	answer, err := x.Find(context.Background(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	want, found := answer.Hits, b.search(q)
	got := found.Hits
	if len(got) != len(want) || found.More != answer.More {
		t.Fatalf("%q: %d hits in the browser, %d in Go; more: %v, %v", q.Text, len(got), len(want), found.More,
			answer.More)
	}
	for i, h := range got {
		w := want[i]
		if h.Path != w.Path || h.Anchor != w.Anchor || h.Title != w.Title || h.Heading != w.Heading ||
			h.Score != w.Score || fmt.Sprint(h.Crumbs) != fmt.Sprint(w.Crumbs) {
			t.Fatalf("%q: hit %d is %s#%s %v in the browser, %s#%s %v in Go", q.Text, i, h.Path, h.Anchor, h.Score,
				w.Path, w.Anchor, w.Score)
		}
		if a, b := joinPieces(h.Snippet), marked(w.Snippet); a != b {
			t.Fatalf("%q: snippet of %s#%s is\n%s\nin the browser, in Go\n%s", q.Text, h.Path, h.Anchor, a, b)
		}
	}
	return len(got)
}

func joinPieces(pieces [][2]any) string {
	var b strings.Builder
	for _, p := range pieces {
		if p[1] == true {
			fmt.Fprintf(&b, "[%s]", p[0])
		} else {
			fmt.Fprint(&b, p[0])
		}
	}
	return b.String()
}

func marked(s searchindex.Snippet) string {
	out := s.Text
	for i := len(s.Marks) - 1; i >= 0; i-- {
		m := s.Marks[i]
		out = out[:m[0]] + "[" + out[m[0]:m[1]] + "]" + out[m[1]:]
	}
	return out
}
