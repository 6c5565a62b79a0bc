package build_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// texts is a sink that keeps the files it receives, by name.
type texts map[string]string

// Put implements output.Sink.
func (s texts) Put(_ context.Context, f output.File) error {
	data, err := f.Bytes()
	s[f.Path] = string(data)
	return err
}

func buildAsking(t *testing.T, opt build.Options) texts {
	t.Helper()
	src := fstest.MapFS{
		"docs.json": {
			Data: []byte(`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "contextual": {"options": ["copy", "assistant"]},
			"navigation": {"languages": [{"language": "en", "pages": ["index", "ask"]}, {"language": "de", "pages": ["de/index"]}]}}`)},
		"index.mdx": {Data: []byte("# One\n")}, "de/index.mdx": {Data: []byte("# Eins\n")},
		"ask.mdx": {Data: []byte("---\ntitle: Talk\nmode: assistant\n---\nHere.\n")},
	}
	out := texts{}
	report, err := build.Build(t.Context(), src, opt, out)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnostics {
		t.Errorf("built with %s", d)
	}
	return out
}

var assistantTrace = regexp.MustCompile(`(?i)assistant|lectern-ask|[ ."]ask-|data-ask|data-asking`)

func TestSiteWithoutAssistantLoadsNoAssistantFiles(t *testing.T) {
	for name, text := range buildAsking(t, build.Options{Offers: capability.Offers{Search: true}}) {
		if strings.HasPrefix(name, "_lectern/notices") {
			continue
		}
		if found := assistantTrace.FindStringIndex(name + " " + text); found != nil {
			all := name + " " + text
			t.Errorf("%s: …%s…", name, all[max(0, found[0]-40):min(len(all), found[1]+40)])
		}
	}
}

func TestSiteWithAssistantLoadsItsFiles(t *testing.T) {
	for _, c := range []struct {
		name        string
		opt         build.Options
		has, lacks  []string // of index.html
		widget, own bool     // whether the output has the widget for other sites, and the search engine
	}{
		{"with a server", build.Options{Offers: capability.Offers{Assistant: capability.Assistant{On: true}}},
			[]string{`data-api="/_lectern/api/assistant"`, `data-path="/"`, `data-language="en"`,
				`<button type="button" data-ask hidden>`, "Ask AI"},
			[]string{"data-engine", "data-words", "data-quotes"}, true, false},
		{"without a model", build.Options{Offers: capability.Offers{Assistant: capability.Assistant{On: true, Quotes: true}}},
			[]string{`data-api="/_lectern/api/assistant"`, " data-quotes", "Find an answer"}, []string{"Ask AI"}, true, false},
		{"in a bundle", build.Options{Links: link.Relative,
			Offers: capability.Offers{Assistant: capability.Assistant{On: true, InBrowser: true}}},
			[]string{`data-index="_lectern/search/index.js"`, `data-suffix=".html"`, "data-engine=", "Find an answer"},
			[]string{"data-api", "data-search"}, false, true},
	} {
		out := buildAsking(t, c.opt)
		page := out["index.html"]
		for _, want := range c.has {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %s", c.name, want)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(page, not) {
				t.Errorf("%s: unexpected %s", c.name, not)
			}
		}
		files := strings.Join(regexp.MustCompile(`_lectern/(assistant|search)\.[0-9a-f]+\.(js|css)`).
			FindAllString(page, -1), " ")
		if want := 2 + map[bool]int{true: 1}[c.own]; len(strings.Fields(files)) != want {
			t.Errorf("%s: it refers to %s", c.name, files)
		}
		for _, f := range strings.Fields(files) {
			if out[f] == "" {
				t.Errorf("%s: no %s", c.name, f)
			}
		}
		if got := out[capability.WidgetFile] != ""; got != c.widget {
			t.Errorf("%s: the widget is there: %v", c.name, got)
		}
		if c.widget && (!strings.Contains(out[capability.WidgetFile], "--paper") ||
			strings.Contains(out[capability.WidgetFile], "rem;")) {
			t.Errorf("%s: the widget has no styles, or its styles depend on the surrounding page", c.name)
		}
		if !strings.Contains(out["de/index.html"], "KI fragen") || !strings.Contains(out["ask.html"],
			`data-mode="assistant"`) || !strings.Contains(out["ask.html"], "data-ask-page") {
			t.Errorf("%s: other languages or conversation pages have no assistant", c.name)
		}
	}
}
