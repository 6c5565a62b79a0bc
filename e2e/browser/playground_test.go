package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// fillFields is a script that fills in fields by name, as a reader does.
const fillFields = `
window.field = (name, n = 0) => { const labels = [...document.querySelectorAll(".try label")].filter((l) => l.textContent === name && l.htmlFor); return document.getElementById(labels[n].htmlFor); };
window.fill = (name, value, n) => { const e = field(name, n); e.value = value; e.dispatchEvent(new Event(e.matches("select") ? "change" : "input", { bubbles: true })); return true; };
window.language = (title) => { const b = document.querySelector(".try-request .pick");
  if (b.getAttribute("aria-expanded") === "false") b.click();
  [...document.querySelectorAll(".pick-list li")].find((o) => o.textContent === title).click();
  return true; };
window.pick = (selector, text) => { const e = document.querySelector(selector); const list = [...e.options]; e.value = (list.find((o) => o.textContent === text) ?? list.find((o) => o.textContent.startsWith(text))).value; e.dispatchEvent(new Event("change", { bubbles: true })); return true; };
window.press = (text, within = ".try") => { const b = [...document.querySelectorAll(within + " button")].find((b) => b.textContent === text || b.getAttribute("aria-label") === text); b.click(); return true; };
window.files = (name, ...list) => { const box = new DataTransfer(); for (const [n, type, text] of list) box.items.add(new File([text], n, { type })); const e = field(name); e.files = box.files; e.dispatchEvent(new Event("change", { bubbles: true })); return true; };
window.answered = () => document.querySelector(".try .try-stop").hidden && document.querySelector(".try-status").textContent;
true`

// openPlayground opens the playground of a page.
func (p *page) openPlayground(address string) {
	p.t.Helper()
	run(p, chromedp.Navigate(address))
	p.waitFor(`document.querySelector("button[data-try]:not([hidden])") !== null`)
	p.click("button[data-try]")
	p.waitFor(`document.querySelector("dialog.try[open]") !== null`)
	eval[bool](p, fillFields)
}

// sendRequest sends the request and waits for the response or an error.
func (p *page) sendRequest() string {
	p.t.Helper()
	eval[bool](p,
		`(document.querySelector(".try-status").textContent = "", document.querySelector(".try-send").click(), true)`)
	p.waitFor(`!!answered()`)
	return eval[string](p, `document.querySelector(".try-status").textContent`)
}

func (p *page) runScript(script string) { p.t.Helper(); eval[bool](p, script) }

// F5, F6: the playground calls a real API through a published site's proxy and directly from the browser.
func TestReadersCallAPIFromItsPages(t *testing.T) {
	t.Parallel()
	a := newAPI(t, true)
	s := playground(t, a.URL, capability.Playground{On: true, Proxy: capability.HasProxy})
	p := tab(t)
	run(p, chromedp.EmulateViewport(1400, 900))
	cases := []struct {
		name string
		run  func(*testing.T, *page, *petServer, string)
	}{
		{"every style is written by the rules", checkStyles}, {"every kind of proof arrives", checkAuth},
		{"a nested body is filled in as a form", checkBody},
		{"files and forms arrive", checkFile}, {"answers are shown by their type", checkAnswer},
		{"the panel looks well", checkLooks},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			q := *p
			q.t = t
			c.run(t, &q, a, s.URL)
			q.checkConsoleExcept(refused, axeStyles)
		})
	}
}

func checkStyles(t *testing.T, p *page, a *petServer, site string) {
	var path, query, cookies []string
	heads := map[string]string{}
	for _, s := range styles {
		switch s.in {
		case "path":
			path = append(path, s.want)
		case "query":
			query = append(query, s.want)
		case "cookie":
			cookies = append(cookies, s.want)
		case "header":
			heads["X-"+s.name()] = s.want
		}
	}
	query = append(query, "reserved=a/b?c%26d%20e", "json=%7B%22x%22%3A1%2C%22y%22%3A%22z%22%7D")
	p.openPlayground(site + operationPage("Styles"))
	for _, direct := range []bool{false, true} {
		if direct {
			p.runScript(`(document.querySelector(".try-relay input").click(), true)`)
		}
		if status := p.sendRequest(); !strings.HasPrefix(status, "200 OK") {
			t.Fatalf("direct %v: %s %s", direct, status,
				eval[string](p, `document.querySelector(".try-answer").textContent`))
		}
		got := a.lastRequest()
		p.expectEqual("path", got.path, "/v1/styles/"+strings.Join(path, "/"))
		p.expectEqual("query", got.query, strings.Join(query, "&"))
		for name, want := range heads {
			p.expectEqual(name, got.header.Get(name), want)
		}
		want := strings.Join(cookies, "; ")
		if direct { // browsers do not let pages send cookies, and the page says so
			want = ""
			p.expectEqual("said", eval[string](p, `document.querySelector(".try-hint").textContent`),
				"Browsers do not let pages send Cookie. “Through this site” sends it.")
		}
		p.expectEqual("cookies", got.header.Get("Cookie"), want)
	}

	// Servers and their variables; the samples are updated.
	p.runScript(`fill("base", "v2")`)
	p.waitFor(`document.querySelector(".try-request code").textContent.includes("/v2/styles/")`)
	p.runScript(`pick(".try-section select", "` + a.URL + `")`)
	seen := map[string]bool{}
	p.runScript(`(document.querySelector(".try-request .pick").click(), true)`)
	for _, l := range eval[[]string](p, `[...document.querySelectorAll(".pick-list li")].map((o) => o.textContent)`) {
		p.runScript(`language("` + l + `")`)
		code := eval[string](p, `document.querySelector(".try-request code").textContent`)
		if !strings.Contains(code, a.URL+"/styles/a%20b/") || seen[code] {
			t.Errorf("in %s:\n%s", l, code)
		}
		seen[code] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d languages", len(seen))
	}
	p.runScript(`language("cURL")`)
	p.expectEqual("colours", eval[string](p, `document.querySelector(".try-request code .f")?.textContent`), "curl")

	// Values are checked against their limits, but the reader may send the request anyway.
	p.runScript(`fill("limit", "99")`)
	n := a.requestCount()
	p.runScript(`(document.querySelector(".try-send").click(), true)`)
	p.waitFor(`document.querySelector(".try-warn").textContent.includes("limit must be at most 10")`)
	if a.requestCount() != n {
		t.Error("the request was sent anyway")
	}
	p.runScript(`press("Send anyway")`)
	p.waitFor(`!!answered()`)
	if got := a.lastRequest(); !strings.HasSuffix(got.query, "&limit=99") || !strings.HasPrefix(got.path, "/styles/") {
		t.Errorf("sent %s?%s", got.path, got.query)
	}

	// The history restores a request after the reader has left the page.
	p.openPlayground(site + operationPage("Styles"))
	p.runScript(`press("History")`)
	p.runScript(`(document.querySelector(".try-past").click(), true)`)
	p.waitFor(`field("limit").value === "99"`)
	p.expectEqual("server", eval[string](p,
		`document.querySelector(".try-url").textContent.slice(0, `+strconv.Itoa(len(a.URL))+`)`), a.URL)
	p.runScript(`(press("History"), press("Clear"))`)
	p.expectEqual("history", eval[string](p,
		`Object.keys(localStorage).filter((k) => k.startsWith("lectern-try GET")).join()`), "")
}

func checkAuth(t *testing.T, p *page, a *petServer, site string) {
	p.openPlayground(site + operationPage("Keys"))
	way := func(name string) {
		p.t.Helper()
		p.runScript(`pick('.try-section[aria-label="Authorization"] select', "` + name + `")`)
	}
	for _, c := range []struct{ way, script, header, value string }{
		{"header", `fill("X-Key", "k1")`, "X-Key", "k1"}, {"query", `fill("key", "k 2")`, "", "key=k%202"},
		{"cookie", `fill("sid", "k3")`, "Cookie", "sid=k3"},
		{"bearer", `fill("Token", "k4")`, "Authorization", "Bearer k4"},
		{"basic", `fill("User name", "Ü") && fill("Password", "p:w")`, "Authorization", "Basic w5w6cDp3"},
		{"oidc", `fill("Token", "k5")`, "Authorization", "Bearer k5"},
	} {
		way(c.way)
		p.runScript(c.script)
		sample := eval[string](p, `document.querySelector(".try-request code").textContent`)
		if strings.Contains(sample, c.value) {
			t.Errorf("%s is shown: %s", c.way, sample)
		}
		p.sendRequest()
		got := a.lastRequest()
		if c.header == "" {
			p.expectEqual(c.way, got.query, c.value)
		} else {
			p.expectEqual(c.way, got.header.Get(c.header), c.value)
		}
	}

	// A token by client credentials: first refused, then granted.
	way("oauth")
	p.runScript(`fill("Client ID", "reader") && fill("Client secret", "wrong") && press("Get a token")`)
	p.waitFor(`document.querySelector(".try-line .try-note").textContent.includes("nobody knows this client")`)
	p.runScript(`fill("Client secret", "s3cret") && press("Get a token")`)
	p.waitFor(`document.querySelector(".try-line .try-note").textContent.startsWith("Token received, valid until")`)
	p.sendRequest()
	p.expectEqual("oauth", a.lastRequest().header.Get("Authorization"), "Bearer minted-read")
	p.runScript(`press("Show credentials")`)
	if code := eval[string](p, `document.querySelector(".try-request code").textContent`); !strings.Contains(code,
		"minted-read") {
		t.Error("the reader asked to see the token")
	}

	// No credential is stored unless the reader wants it, and then only in the tab.
	kept := `JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })`
	for _, secret := range []string{"k1", "k 2", "k3", "k4", "p:w", "s3cret", "minted"} {
		if all := eval[string](p, kept); strings.Contains(all, secret) {
			t.Errorf("%q is stored: %s", secret, all)
		}
	}
	p.runScript(
		`(document.querySelector('.try-section[aria-label="Authorization"] .try-line > .try-check input').click(), true)`)
	if all := eval[string](p,
		`JSON.stringify({ ...localStorage }) + "|" + JSON.stringify({ ...sessionStorage })`); !strings.Contains(
		all[strings.Index(all, "|"):], "s3cret") || strings.Contains(all[:strings.Index(all, "|")], "s3cret") {
		t.Errorf("stored %s", all)
	}
	p.runScript(`(document.querySelector('.try-section[aria-label="Authorization"] .try-line > .try-check input').click(), true)`)
}

// checkAnswer checks that HTML and SVG are shown as text: nothing in an API's response runs on the site (F5).
func checkAnswer(t *testing.T, p *page, a *petServer, site string) {
	p.openPlayground(site + operationPage("Kinds"))
	choose := func(kind string) {
		p.t.Helper()
		p.runScript(`fill("kind", [...field("kind").options].find((o) => o.textContent === "` + kind + `").value)`)
	}
	for _, direct := range []bool{false, true} {
		if direct {
			p.runScript(`(document.querySelector(".try-relay input").click(), true)`)
		}
		for _, c := range []struct{ kind, status, until string }{
			{"image", "200 OK", `document.querySelector(".try-answer img")?.naturalWidth === 1`},
			{"html", "200 OK",
				`document.querySelector(".try-answer pre").textContent.startsWith("<script>window.hacked")`},
			{"svg", "200 OK", `document.querySelector(".try-answer pre").textContent.startsWith("<svg")`},
			{"events", "200 OK", `document.querySelectorAll(".try-events li").length === 3`},
			{"empty", "204 No Content", `document.querySelector(".try-answer-body").textContent.includes("No body.")`},
			{"binary", "200 OK",
				`document.querySelector(".try-answer pre").textContent.startsWith("000000  00 01 02 ff 6c 65 63")`},
			{"error", "418 I’m a Teapot",
				`document.querySelector(".try-tree").textContent.includes('"big": 12345678901234567890')`},
		} {
			choose(c.kind)
			if status := p.sendRequest(); !strings.HasPrefix(status, c.status) {
				t.Errorf("%s, direct %v: %s", c.kind, direct, status)
			}
			p.waitFor(c.until)
		}
	}
	choose("slow")
	p.runScript(`(document.querySelector(".try-send").click(), true)`)
	p.waitFor(`document.querySelector(".try-stop:not([hidden])") !== null && document.activeElement !== null`)
	p.click(".try-stop")
	p.waitFor(`document.querySelector(".try-problem")?.textContent === "Cancelled."`)
	p.expectEqual("script ran", eval[string](p, `String(window.hacked)`), "undefined")
}

// checkLooks checks panels on a desktop and a phone, in light and dark mode, and operates one with the keyboard.
func checkLooks(t *testing.T, p *page, a *petServer, site string) {
	axe, err := axeCore()
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Create", "Keys"} {
		p.openPlayground(site + operationPage(title))
		p.runScript(`(document.querySelector(".try-send").click(), true)`)
		if title == "Keys" {
			p.waitFor(`!!answered()`)
			p.runScript(`press("History")`)
		}
		p.runScript(axe + "; true")
		for _, form := range []struct {
			name, scheme string
			width        int64
			axe          bool   // in addition to contrast; always with -every
			title        string // of the panel that is checked; all with -every
		}{{"desk-light", "light", 1400, true, "Create"}, {"desk-dark", "dark", 1400, false, "Keys"},
			{"phone-light", "light", 390, true, "Keys"}, {"phone-dark", "dark", 390, false, "Create"}} {
			if form.title != title && !*every {
				continue
			}
			run(p, chromedp.EmulateViewport(form.width, 900))
			p.runScript(`(document.documentElement.dataset.scheme = "` + form.scheme +
				`", document.getAnimations().forEach((a) => a.finish()), true)`)
			if over := eval[int](p,
				`Math.max(...[...document.querySelectorAll(".try *")].filter((e) => !e.closest("pre, .try-unseen, option")).map((e) => e.getBoundingClientRect().right)) - innerWidth`); over > 0 {
				t.Errorf("%s %s: overflows by %d pixels", title, form.name, over)
			}
			if *every {
				p.checkAxe("playground-"+title+"-"+form.name, "document", "")
			} else if form.axe {
				p.checkAxe("playground-"+title+"-"+form.name, "document", withoutContrast)
			}
			p.expectContrast("playground-" + title + "-" + form.name)
			p.screenshot("playground-" + title + "-" + form.name)
		}
		run(p, chromedp.EmulateViewport(1400, 900))
	}

	// With the keyboard alone: the button, a request, and back to the previous focus.
	run(p, chromedp.Navigate(site+operationPage("Plain")))
	p.waitFor(`document.querySelector("button[data-try]:not([hidden])") !== null`)
	p.runScript(
		`(window.counted = [], document.addEventListener("lectern:count", (e) => counted.push(e.detail.kind + " " + e.detail.target + " " + e.detail.status)), document.querySelector("button[data-try]").focus(), true)`)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.try[open]") !== null`)
	p.key(kb.Enter) // the focus is on Send
	p.waitFor(`document.querySelector(".try-status").textContent.startsWith("200 OK")`)
	p.waitFor(`counted.length > 0`)
	p.expectEqual("counted", eval[string](p, `counted.join()`), "try GET /plain 200")
	p.key(kb.Escape)
	p.waitFor(`document.querySelector("dialog.try[open]") === null`)
	p.expectEqual("focus", eval[string](p, `String(document.activeElement.matches("[data-try]"))`), "true")

	// A page that replaces another in place has its own request, even after a page without one.
	p.markDocument()
	p.follow(`.sidebar a[href="/"]`, "Home")
	p.follow(`.sidebar a[href="`+operationPage("Text")+`"]`, "Text")
	p.waitFor(`document.querySelectorAll("button[data-try]:not([hidden])").length === 1`)
	p.click("button[data-try]")
	p.waitFor(
		`document.querySelector("dialog.try[open] .try-url").textContent.endsWith("/text") && document.querySelectorAll("dialog.try").length === 1`)
	p.expectSameDocument(true)
	run(p, chromedp.Navigate(site+"/"))
	p.markDocument()
	p.follow(`.sidebar a[href="`+operationPage("Raw")+`"]`, "Raw")
	p.waitFor(`document.querySelectorAll("button[data-try]:not([hidden])").length === 1`)
	p.expectSameDocument(true)
}

// If an API does not let other sites read its responses, the page explains this. The page looks for a proxy once, and
// only where there can be one.
func TestPlaygroundWithoutProxyCallsAPIDirectly(t *testing.T) {
	t.Parallel()
	open, shut := newAPI(t, true), newAPI(t, false)
	p := tab(t)
	run(p, chromedp.EmulateViewport(1400, 900))
	s := playground(t, shut.URL, capability.Playground{On: true, Proxy: capability.MayHaveProxy})
	p.openPlayground(s.URL + operationPage("Plain"))
	if status := p.sendRequest(); status != "No response" {
		t.Errorf("status %s", status)
	}
	if said := eval[string](p, `document.querySelector(".try-problem").textContent`); !strings.Contains(said, "CORS") ||
		!strings.Contains(said, s.URL) {
		t.Errorf("the page says %s", said)
	}
	asked := `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("` + capability.ProxyPath +
		`")).length`
	p.waitFor(asked + " > 0") // browsers record a request some time after its response
	p.expectEqual("asked for a proxy", eval[string](p, "String("+asked+")"), "1")
	p.expectEqual("offers it", eval[string](p, `String(document.querySelector(".try-relay").hidden)`), "true")

	behind := playgroundBehind(t, shut.URL, capability.Playground{On: true, Proxy: capability.MayHaveProxy}, true)
	p.openPlayground(behind.URL + operationPage("Plain"))
	p.waitFor(`document.querySelector(".try-relay:not([hidden])") !== null`)
	if status := p.sendRequest(); !strings.HasPrefix(status, "200 OK") {
		t.Errorf("behind a proxy: %s", status)
	}

	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	play := capability.Playground{On: true, Proxy: capability.MayHaveProxy}
	if _, err := build.Build(t.Context(), petDocs(open.URL), build.Options{Links: link.Relative,
		Offers: capability.Offers{Playground: play}}, output.NewDir(root)); err != nil {
		t.Fatal(err)
	}
	p.openPlayground("file://" + filepath.ToSlash(filepath.Join(dir, "api-reference/create.html")))
	p.runScript(`fill("name", "From a file")`)
	if status := p.sendRequest(); !strings.HasPrefix(status, "200 OK") {
		t.Errorf("from a file: %s", status)
	}
	if got := open.lastRequest(); got.method != "POST" || !strings.Contains(got.body, "From a file") {
		t.Errorf("received %+v", got)
	}
}
