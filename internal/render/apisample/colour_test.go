package apisample

import (
	"encoding/json"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/web/theme"
)

var span = regexp.MustCompile(`<span class="(\w+)">([^<]*)</span>|([^<]+)`)

// inHTML returns the tokens of highlighted code as text, each with its class.
func inHTML(lines [][]byte) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, m := range span.FindAllStringSubmatch(string(line), -1) {
			b.WriteString(m[1] + "‹" + html.UnescapeString(m[2]+m[3]) + "›")
		}
	}
	return b.String()
}

// The playground highlights its samples with the same rules as the build, so a sample has the same tokens on the page
// and in the panel.
func TestBrowserAndBuildHighlightSamplesIdentically(t *testing.T) {
	h := highlight.New(0)
	data, err := Rules(h)
	if err != nil {
		t.Fatal(err)
	}
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/playground/asked.ts", Text: `
import { tokensOf } from "./highlight";
const rules = ` + string(data) + `;
globalThis.ask = (arg) => {
  const [language, code] = JSON.parse(arg);
  return JSON.stringify(tokensOf(rules[language], code));
};`}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	script, err := jsrun.OpenScript(code, "ask")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = script.Close() })
	list := requests()
	dice := dice{rand.New(rand.NewPCG(4, 4))}
	for i := range 25 {
		list["by chance "+string(rune('a'+i))] = dice.request()
	}
	wrong := map[string]int{}
	for name, r := range list {
		for _, l := range all() {
			text := l.Write(r)
			lines, _ := h.Lines(l.Highlight, text)
			if got, want := inTokens(t, script, l.Highlight, text), inHTML(lines); got != want {
				if wrong[l.Key]++; wrong[l.Key] == 1 {
					t.Errorf("%s in %s\nin the browser:\n%s\nhere:\n%s", name, l.Key, got, want)
				}
			}
		}
	}
	if len(wrong) > 0 {
		t.Errorf("differences: %v of %d", wrong, len(list))
	}
}

// inTokens returns the browser's tokens in the same form as inHTML.
func inTokens(t *testing.T, script *jsrun.Script, lang, text string) string {
	t.Helper()
	arg, err := json.Marshal([]string{lang, text})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := script.Call(string(arg))
	if err != nil {
		t.Fatal(err)
	}
	var tokens [][2]string
	if err := json.Unmarshal([]byte(answer), &tokens); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, token := range tokens {
		for i, line := range strings.Split(token[1], "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString(token[0] + "‹" + line + "›")
			}
		}
	}
	return b.String()
}
