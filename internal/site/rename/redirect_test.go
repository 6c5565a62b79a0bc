package rename

import (
	"strings"
	"testing"
)

func TestMovingBackLeavesNoRedirectLoop(t *testing.T) {
	src := garden()
	for _, step := range [][2]string{{"guides/start", "a"}, {"a", "b"}, {"b", "a"}, {"a", "guides/start"}} {
		plan, err := New(t.Context(), src, Options{Old: step[0], New: step[1]})
		if err != nil {
			t.Fatal(err)
		}
		src = apply(t, src, plan)
		for _, d := range findings(t, src) {
			if strings.Contains(d.Code, "redirect") {
				t.Errorf("after %v: %s\n%s", step, d, src["docs.json"].Data)
			}
		}
	}
	if text := string(src["docs.json"].Data); !strings.Contains(text,
		`"source": "/was", "destination": "/guides/start"`) || strings.Contains(text, `"source": "/guides/start"`) {
		t.Errorf("docs.json is\n%s", text)
	}
}

func TestAddedRedirectsMatchFileFormatting(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"none", "{\n\t\"name\": \"x\"\n}\n",
			"{\n\t\"name\": \"x\",\n\t\"redirects\": [\n\t\t{ \"source\": \"/a\", \"destination\": \"/b\" }\n\t]\n}\n"},
		{"empty list", "{\n  \"redirects\": []\n}\n",
			"{\n  \"redirects\": [\n    { \"source\": \"/a\", \"destination\": \"/b\" }\n  ]\n}\n"},
		{"lines", "{\"redirects\": [\r\n  {\r\n    \"source\": \"/x\",\r\n    \"destination\": \"/y\"\r\n  }\r\n]}",
			"{\"redirects\": [\r\n  {\r\n    \"source\": \"/x\",\r\n    \"destination\": \"/y\"\r\n  },\r\n  {\r\n    \"source\": \"/a\",\r\n    \"destination\": \"/b\"\r\n  }\r\n]}"},
		{"one line", `{"redirects": [{"source": "/x", "destination": "/y"}]}`,
			`{"redirects": [{"source": "/x", "destination": "/y"}, {"source": "/a", "destination": "/b"}]}`},
		{"empty file", `{}`, "{\n  \"redirects\": [\n    { \"source\": \"/a\", \"destination\": \"/b\" }\n  ]\n}\n"},
		{"shadowed until now", `{"redirects": [{"source": "/a", "destination": "/y"}]}`,
			`{"redirects": [{"source": "/a", "destination": "/b"}]}`},
		{"in the way", `{"redirects": [{"source": "/b", "destination": "/y"}]}`,
			`{"redirects": [ {"source": "/a", "destination": "/b"}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := folder("docs.json", c.before, "a.mdx", "A", "index.mdx", "I")
			plan, err := New(t.Context(), src, Options{Old: "a", New: "b"})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(apply(t, src, plan)["docs.json"].Data); got != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
			if plan, err = New(t.Context(), src, Options{Old: "a", New: "c", NoRedirect: true}); err != nil ||
				len(plan.Edits) > 0 {
				t.Errorf("without a redirect: %v, %v", plan, err)
			}
		})
	}
}

// A link may lead to a redirect below a folder that moves. The redirect stays where it is, so the link is unchanged.
func TestLinksThroughARedirectAreUnchanged(t *testing.T) {
	src := folder("docs.json",
		`{"redirects": [{"source": "/a/old", "destination": "/b"}, {"source": "/z", "destination": "/a/old"}]}`,
		"a/x.mdx", "[old](./old) [abs](/a/old) [dir](/a)", "a/y.mdx", "Y", "b.mdx", "[old](/a/old)", "index.mdx", "I")
	plan, err := New(t.Context(), src, Options{Old: "a", New: "c"})
	if err != nil {
		t.Fatal(err)
	}
	after := apply(t, src, plan)
	if got := string(after["c/x.mdx"].Data) +
		string(after["b.mdx"].Data); got != "[old](../a/old) [abs](/a/old) [dir](/c)[old](/a/old)" {
		t.Errorf("got %s", got)
	}
	for _, d := range findings(t, after) {
		if strings.HasPrefix(d.Code, "broken-") {
			t.Errorf("%s\n%s", d, after["docs.json"].Data)
		}
	}
}

func TestRedirectsAreAddedToTheirFile(t *testing.T) {
	src := folder("docs.json", `{"redirects": {"$ref": "./r.json"}}`, "r.json",
		`[{"source": "/x", "destination": "/a"}]`, "a.mdx", "A")
	plan, err := New(t.Context(), src, Options{Old: "a", New: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(apply(t, src,
		plan)["r.json"].Data); got != `[{"source": "/x", "destination": "/b"}, {"source": "/a", "destination": "/b"}]` {
		t.Errorf("got %s", got)
	}
}
