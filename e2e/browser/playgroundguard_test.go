package browser

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// guardDocs returns a site about two APIs whose security schemes have the same names, with hostile and secret content.
func guardDocs(first, second string) fstest.MapFS {
	text := object{"type": "string"}
	param := func(in, name string, schema object, more ...any) object {
		p := object{"in": in, "name": name, "required": true, "schema": schema}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	get := func(summary string, params ...object) object {
		return object{"get": object{"summary": summary, "parameters": params, "responses": answers}}
	}
	post := func(summary, media string, content object) object {
		return object{"post": object{"summary": summary,
			"requestBody": object{"required": true, "content": object{media: content}}, "responses": answers}}
	}
	secured := func(summary string) object {
		return object{"get": object{"summary": summary,
			"security": []object{{"constructor": []any{}}, {"oauth": []string{"read"}}}, "responses": answers}}
	}
	file, list := object{"type": "string", "format": "binary"}, object{"type": "array", "items": text}
	schemes := object{"constructor": object{"type": "apiKey", "in": "header", "name": "X-Key"},
		"oauth": object{"type": "oauth2", "flows": object{
			"password": object{"tokenUrl": first + "/token", "scopes": object{"read": "Read"}}}}}
	self := object{"$ref": "#/components/schemas/Self"}
	members := object{"lists": object{"$ref": "#/components/schemas/Lists"},
		"again": object{"$ref": "#/components/schemas/Again"},
		"slow":  object{"type": "string", "pattern": "^(a+)+$", "default": strings.Repeat("a", 60) + "!"}}
	var needs []string
	for _, name := range strings.Split("abcdefghijkl", "") {
		members[name], needs = self, append(needs, name)
	}
	one := object{"openapi": "3.0.3", "info": object{"title": "One", "version": "1"},
		"servers": []any{object{"url": first}, object{"url": second}}, "paths": object{
			"/first": secured("First"), "/many": get("Many"), "/live": get("Live"),
			"/part/{name}": get("Part", param("path", "name", text)),
			"/keep/{token}": get("Keep", param("path", "token", text), param("query", "pin", object{"type": "integer"}),
				param("query", "credentials", object{"type": "object", "properties": object{"u": text}}, "example",
					object{"u": "canary-object"}),
				param("query", "word", object{"oneOf": []any{object{"type": "integer"},
					object{"type": "string", "format": "password"}}}, "example", "canary-option"),
				param("cookie", "theme", text), param("query", "colour", text),
				param("query", "filter", object{"type": "object", "properties": object{"kind": text, "secret": text}},
					"example", object{"kind": "k", "secret": "canary-member"}),
				object{"in": "query", "name": "plain", "required": true,
					"content": object{"text/plain": object{"schema": text}}}),
			"/upload": post("Styled", "multipart/form-data", object{"schema": object{"type": "object",
				"properties": object{"one": file, "two": object{"type": "array", "items": file}, "ids": list}},
				"encoding": object{"one": object{"style": "form"}, "two": object{"style": "form", "explode": false},
					"ids": object{"style": "form", "explode": false}}}),
			"/form": post("Encoded", "application/x-www-form-urlencoded",
				object{"schema": object{"type": "object",
					"properties": object{"ids": object{"type": "array", "items": text, "example": []string{"a,b", "c"}},
						"at": object{"type": "string", "example": "a/b&c"}}},
					"encoding": object{"ids": object{"style": "form", "explode": false},
						"at": object{"allowReserved": true}}}),
			"/tree": post("Tree", "application/json", object{"schema": self}),
		}, "components": object{"securitySchemes": schemes, "schemas": object{
			"Lists": object{"type": "array", "items": object{"$ref": "#/components/schemas/Lists"}},
			"Again": object{"oneOf": []any{object{"$ref": "#/components/schemas/Again"}, text}},
			"Self": object{"type": "object", "required": append(needs, "lists", "again", "slow"),
				"properties": members},
		}}}
	two := object{"openapi": "3.0.3", "info": object{"title": "Two", "version": "1"},
		"servers": []any{object{"url": second}}, "paths": object{"/second": secured("Second")},
		"components": object{"securitySchemes": schemes}}
	write := func(v any) *fstest.MapFile {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return &fstest.MapFile{Data: data}
	}
	return fstest.MapFS{
		"docs.json": {Data: []byte(
			`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"groups": [{"group": "Guide", "pages": ["index"]}, {"group": "One", "openapi": "one.json"}, {"group": "Two", "openapi": "two.json"}]}}`)},
		"index.mdx": {Data: []byte("---\ntitle: Home\n---\nWelcome.\n")}, "one.json": write(one),
		"two.json": write(two),
	}
}

// F5: the playground protects readers, whatever an API description contains.
func TestPlaygroundProtectsReaders(t *testing.T) {
	t.Parallel()
	first, second := newAPI(t, true), newAPI(t, true)
	s := playgroundOf(t, guardDocs(first.URL, second.URL), capability.Playground{On: true, Proxy: capability.HasProxy},
		true, first.URL, second.URL)
	p := tab(t)
	run(p, chromedp.EmulateViewport(1400, 900))
	for _, c := range []struct {
		name string
		run  func(*page, *petServer, *petServer, *httptest.Server)
	}{
		{"credentials are for one API", checkCredential}, {"the history has no secrets", checkSecret},
		{"schemas without an end open", checkEndless},
		{"encodings of forms", checkEncoding}, {"responses are shown unchanged", checkWhole},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := *p
			q.t = t
			c.run(&q, first, second, s)
			q.checkConsoleExcept(refused, axeStyles)
		})
	}
}

const authSelect = `.try-section[aria-label="Authorization"] select`

// checkCredential checks that credentials typed for one API do not appear in another API's form and are not sent to it,
// although the security schemes have the same name.
func checkCredential(p *page, first, second *petServer, s *httptest.Server) {
	p.openPlayground(s.URL + operationPage("First"))
	p.runScript(`fill("X-Key", "canary-key")`)
	p.runScript(`(document.querySelector(".try-line > .try-check input").click(), true)`) // stored in the tab
	p.sendRequest()
	p.expectEqual("the first API hears", first.lastRequest().header.Get("X-Key"), "canary-key")

	// Another server in the same description does not get the credentials; the first server keeps them.
	p.runScript(`pick(".try-section select", "` + second.URL + `")`)
	p.expectEqual("after the server changed", eval[string](p, `field("X-Key").value`), "")
	p.sendRequest()
	p.expectEqual("the other server hears", strings.Join(second.lastRequest().header.Values("X-Key"), ","), "")
	p.runScript(`pick(".try-section select", "` + first.URL + `")`)
	p.expectEqual("back again", eval[string](p, `field("X-Key").value`), "canary-key")

	// A token by password, from the first API; the form shows where the secrets are sent.
	p.runScript(`pick('` + authSelect + `', "oauth")`)
	p.expectEqual("it says", eval[string](p, `document.querySelector(".try-to").textContent`),
		"Credentials are sent to "+first.URL+".")
	p.expectEqual("it warns", eval[string](p, `document.querySelector(".try-to").nextSibling.textContent`), "Get a token")
	p.runScript(
		`fill("User name", "Ü") && fill("Password", "p&w") && fill("Client ID", "app") && fill("Client secret", "app-s3cret") && fill("Client authentication", "body") && press("Get a token")`)
	p.waitFor(`document.querySelector(".try-line .try-note").textContent.startsWith("Token received, valid until")`)
	p.sendRequest()
	p.expectEqual("oauth", first.lastRequest().header.Get("Authorization"), "Bearer minted-read")

	// A page about another API replaces this one.
	p.runScript(`(document.querySelector("dialog.try").close(), true)`)
	p.markDocument()
	p.follow(`.sidebar a[href="`+operationPage("Second")+`"]`, "Second")
	p.click("button[data-try]")
	p.waitFor(`document.querySelector("dialog.try[open] .try-url").textContent.endsWith("/second")`)
	p.expectSameDocument(true)
	empty := func(when string) {
		p.t.Helper()
		p.expectEqual("key "+when, eval[string](p, `field("X-Key").value`), "")
		p.sendRequest()
		p.expectEqual("heard "+when, strings.Join(second.lastRequest().header.Values("X-Key"), ","), "")
		p.runScript(`pick('` + authSelect + `', "oauth")`)
		p.expectEqual("OAuth "+when, eval[string](p,
			`[...document.querySelectorAll(".try-secret input")].map((e) => e.value).join("")`), "")
		p.expectEqual("it warns "+when, eval[string](p, `document.querySelector(".try-to").nextSibling.textContent`),
			"This is not the API's host. Continue only if you trust it.")
	}
	empty("after a page change")
	p.openPlayground(s.URL + operationPage("Second"))
	empty("from the tab")

	// The first API's credentials stay until the reader removes them.
	p.openPlayground(s.URL + operationPage("First"))
	p.expectEqual("kept", eval[string](p, `field("X-Key").value`), "canary-key")
	p.runScript(`press("Forget")`)
	p.expectEqual("forgotten", eval[string](p, `field("X-Key").value + Object.values(sessionStorage).join()`), "[]")
	p.runScript(`(document.querySelector(".try-line > .try-check input").click(), true)`)
}

func checkSecret(p *page, first, _ *petServer, s *httptest.Server) {
	p.openPlayground(s.URL + operationPage("Keep"))
	p.runScript(
		`fill("token", "canary-path") && fill("pin", "90210") && fill("theme", "canary-cookie") && fill("colour", "blue") && fill("plain", "as is")`)
	p.sendRequest()
	got := first.lastRequest()
	for _, sent := range []string{"canary-path", "pin=90210", "canary-object", "canary-option", "colour=blue",
		"kind=k&secret=canary-member", "plain=as%20is"} {
		if !strings.Contains(got.path+"?"+got.query, sent) {
			p.t.Errorf("%s is not in %s?%s", sent, got.path, got.query)
		}
	}
	p.expectEqual("cookie", got.header.Get("Cookie"), "theme=canary-cookie")
	kept := eval[string](p, `JSON.stringify({ ...localStorage })`)
	if strings.Contains(kept, "canary") || strings.Contains(kept, "90210") || !strings.Contains(kept, "colour=blue") {
		p.t.Errorf("stored %s", kept)
	}
	p.runScript(`press("History")`)
	p.expectEqual("history", eval[string](p, `document.querySelector(".try-past-url").textContent`),
		first.URL+"/keep/{token}?colour=blue&kind=k&plain=as%20is")

	// A path segment of "." or ".." would change the path, so the request is not sent.
	p.openPlayground(s.URL + operationPage("Part"))
	n := first.requestCount()
	p.runScript(`fill("name", "..")`)
	p.expectEqual("status", p.sendRequest(), "No response")
	p.waitFor(`document.querySelector(".try-problem strong").textContent === "“.” and “..” cannot be a path segment."`)
	if first.requestCount() != n {
		p.t.Error("the request was sent")
	}
	p.runScript(`fill("name", "../x")`)
	p.sendRequest()
	p.expectEqual("path", first.lastRequest().path, "/part/..%2Fx")
}

// checkEndless checks that the form opens and sends the request despite recursive lists, recursive alternatives,
// members that require themselves, and a pattern that takes forever to match.
func checkEndless(p *page, first, _ *petServer, s *httptest.Server) {
	p.openPlayground(s.URL + operationPage("Tree"))
	p.runScript(`press("JSON")`)
	p.runScript(
		`(() => { const e = document.querySelector(".try-raw"); e.value = '{"a": [], "again": "x", "slow": "' + "a".repeat(60) + '!"}'; e.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`)
	p.runScript(`(document.querySelector(".try-send").click(), true)`)
	p.waitFor(`document.querySelector(".try-warn").textContent.includes("a must be an object")`)
	p.runScript(`press("Send anyway")`)
	p.waitFor(`!!answered()`)
	if got := first.lastRequest(); got.path != "/tree" || !strings.Contains(got.body, `"again": "x"`) {
		p.t.Errorf("received %+v", got)
	}
}

func checkEncoding(p *page, first, _ *petServer, s *httptest.Server) {
	p.openPlayground(s.URL + operationPage("Styled"))
	p.runScript(
		`files("one", ["1.txt", "text/plain", "eins"]) && files("two", ["2.txt", "text/plain", "zwei"], ["3.txt", "text/plain", "drei"])`)
	p.runScript(
		`press("ids") && press("Add item") && fill("ids item", "x") && press("Add item") && fill("ids item", "y z", 1)`)
	p.sendRequest()
	parts := first.lastRequest().parts(p.t)
	slices.Sort(parts)
	p.expectEqual("parts", strings.Join(parts, "\n"),
		"ids  : x,y z\none 1.txt text/plain: eins\ntwo 2.txt text/plain: zwei\ntwo 3.txt text/plain: drei")

	p.openPlayground(s.URL + operationPage("Encoded"))
	p.sendRequest()
	fields := strings.Split(first.lastRequest().body, "&")
	slices.Sort(fields)
	p.expectEqual("form", strings.Join(fields, "&"), "at=a/b%26c&ids=a%2Cb,c")
	p.expectEqual("type", first.lastRequest().header.Get("Content-Type"), "application/x-www-form-urlencoded")
	if code := eval[string](p, `document.querySelector(".try-request code").textContent`); !strings.Contains(code,
		"ids=a%2Cb,c") {
		p.t.Errorf("the sample says %s", code)
	}
}

// checkWhole checks that the page reports headers that the proxy removed, and that a stream of events is read as long
// as it sends something.
func checkWhole(p *page, first, _ *petServer, s *httptest.Server) {
	p.openPlayground(s.URL + operationPage("Many"))
	p.sendRequest()
	p.waitFor(
		`document.querySelector(".try-answer-body .try-note").textContent === "The API sent more headers than the proxy forwards."`)

	// The test decides when the minute ends.
	p.openPlayground(s.URL + operationPage("Live"))
	p.runScript(`(() => {
		const set = window.setTimeout, clear = window.clearTimeout;
		window.ends = [];
		window.setTimeout = (run, ms, ...rest) => ms === 60000 ? -ends.push(run) : set(run, ms, ...rest);
		window.clearTimeout = (id) => { if (id < 0) ends[-id - 1] = null; else clear(id); };
		return true;
	})()`)
	events := func(n string) { p.t.Helper(); p.waitFor(`document.querySelectorAll(".try-events li").length === ` + n) }
	p.runScript(`(document.querySelector(".try-relay input").click(), document.querySelector(".try-send").click(), true)`)
	first.live <- "one"
	events("1")
	first.live <- "two"
	events("2")
	p.expectEqual("limits", eval[string](p, `String(ends.length > 2 && ends.filter(Boolean).length === 1)`), "true")
	p.runScript(`ends.slice(0, -1).every((run) => { run?.(); return true; })`)
	first.live <- "three"
	events("3")
	p.expectEqual("status", eval[string](p, `String(document.querySelector(".try-stop").hidden)`), "false")
	p.runScript(`(ends.at(-1)(), true)`) // nothing came for a minute
	p.waitFor(
		`document.querySelector(".try-stop").hidden && document.querySelector(".try-status").textContent.includes("cut off")`)
	events("3")
}

// A site without a playground contains no part of it.
func TestDisabledPlaygroundLeavesNoMarkup(t *testing.T) {
	t.Parallel()
	a := newAPI(t, true)
	s := playground(t, a.URL, capability.Playground{})
	p := openURL(t, s.URL+operationPage("Create"))
	p.waitFor(`document.querySelector(".api-bar") !== null`)
	if html := eval[string](p, `document.documentElement.outerHTML`); strings.Contains(html, "data-try") ||
		strings.Contains(html, "playground") {
		t.Error("the page contains playground markup")
	}
	if a.requestCount() != 0 || eval[bool](p,
		`performance.getEntriesByType("resource").some((e) => /playground|_lectern.api/.test(e.name))`) {
		t.Error("the page requested a playground file or called the API")
	}
	p.checkConsole()
}
