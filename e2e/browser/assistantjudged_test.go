//go:build nightly

package browser

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/ai/assistant/assistanttest"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/web/theme"
)

// bundleScript lets a test ask an open bundle's assistant without its panel. It takes the reader's messages, ending
// with the question, and returns the text and the cited addresses.
const bundleScript = `
import { asksIndex } from "./passage";
const data = document.querySelector("[data-assistant]").dataset;
const whole = (address) => new URL(address, document.baseURI).href;
const answerer = asksIndex({ engine: whole(data.engine), index: whole(data.index), root: "", api: "", language: "", version: "" });
globalThis.askBundle = async (texts) => {
  const messages = texts.map((text, i) => ({ id: String(i), role: "user", parts: [{ type: "text", text }] }));
  const out = { text: "", cites: [] };
  for await (const part of answerer.ask({ messages, threadId: "", context: [] }, new AbortController().signal)) {
    if (part.type === "text-delta") out.text += part.delta;
    if (part.type === "source-url") out.cites.push(part.url);
  }
  return JSON.stringify(out);
};`

var escaped = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// bundleFloor is the minimum share of judged questions, in each half of the set, that must be answered correctly or
// honestly refused. It is a few points below the measured value.
const bundleFloor = 0.6

// A bundle's assistant answers from the search index, in the browser. It gets the same questions that measure a
// server's assistant without a model.
func TestBundleAssistantAnswersJudgedQuestions(t *testing.T) {
	t.Parallel()
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/assistant/asked.ts", Text: bundleScript}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, askingFrom(t, os.DirFS("../../docs")), "index.html")
	p.waitFor(`document.querySelector("[data-assistant]").hidden === false`)
	eval[bool](p, string(code)+";true")
	results, err := assistanttest.Measure(func(j assistanttest.Judged) assistanttest.Answer {
		texts, err := json.Marshal(append(append([]string{}, j.Earlier...), j.Text))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Text  string
			Cites []string
		}
		raw := run(p, chromedp.Evaluate[string]("askBundle("+string(texts)+")", chromedp.EvalAwaitPromise))
		if err := json.Unmarshal([]byte(raw), &answer); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		return assistanttest.Answer{Refused: len(answer.Cites) == 0, Text: escaped.ReplaceAllString(answer.Text, "$1"),
			Cites: answer.Cites}
	}, func(j assistanttest.Judged, a assistanttest.Answer, v assistanttest.Verdict) {
		t.Logf("%-16s %q after %q: cites %v\n%s", v, j.Text, j.Earlier, a.Cites, a.Text)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(results)
	for _, kept := range []bool{false, true} {
		if c := results.Half(kept); c.Share() < bundleFloor {
			t.Errorf("held out %v: %.1f %% right or honestly refused, %v", kept, 100*c.Share(), c)
		}
	}
	p.checkConsole()
}
