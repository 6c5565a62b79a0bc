package browser

import (
	"strings"
	"testing"
)

const pagesJSON = `{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"},
	"redirects": [{"source": "/old", "destination": "/two#middle"}],
	"navigation": {"groups": [{"group": "Guide", "pages": ["index", "two", "three", "drawn"]}]}}`

func servePages(t *testing.T) *served {
	return serve(t, "docs.json", pagesJSON, "snippets/counter.jsx", counter, "notes.txt", "plain",
		"index.mdx",
		"---\ntitle: One\ndescription: The first\n---\n[two](/two) [middle](/two#middle) [gone](/gone) [file](/notes.txt) [drawn](/drawn) "+
			"<a class=\"tab\" target=\"_blank\" href=\"/two\">new</a>\n\n<Tabs><Tab title=\"A\">a</Tab><Tab title=\"B\">b</Tab></Tabs>\n\n"+longText()+"[bottom](/three)\n",
		"two.mdx",
		"---\ntitle: Two\ndescription: The second\n---\nimport { Counter } from '/snippets/counter.jsx'\n\n<Counter start={5}>**kept**</Counter>\n\n"+
			"<div className=\"mt-[37px]\" id=\"styled\">styled</div>\n\n```js\nlet x\n```\n\n<Tabs><Tab title=\"A\">a</Tab><Tab title=\"B\">b</Tab></Tabs>\n\n"+longText()+"## Middle\n\n<Accordion title=\"Inner\">hidden</Accordion>\n\n"+longText(),
		"three.mdx", "---\ntitle: Three\n---\n$x^2$ and [one](/)\n",
		"drawn.mdx", "---\ntitle: Drawn\n---\n```mermaid\nflowchart LR\n  A --> B\n```\n\n[two](/two)\n",
	)
}

func TestLinkChangesPageInSameDocument(t *testing.T) {
	t.Parallel()
	s := servePages(t)
	p := openURL(t, s.URL+"/")
	p.markDocument()
	p.follow(`#content a[href="/two"]`, "Two")
	p.expectSameDocument(true)
	p.expectEqual("title", eval[string](p, `document.title`), "Two - T")
	p.expectEqual("address", eval[string](p, `location.pathname`), "/two")
	p.expectEqual("description", eval[string](p,
		`document.querySelector('meta[name="description"]').content + document.querySelectorAll('meta[name="description"]').length`), "The second1")
	p.expectEqual("canonical", eval[string](p,
		`[...document.querySelectorAll('link[rel="canonical"]')].map((l) => l.getAttribute("href")).join()`), "/two")
	p.expectEqual("current in the sidebar",
		eval[string](p,
			`[...document.querySelectorAll('.sidebar [aria-current="page"]')].map((a) => a.getAttribute("href")).join()`), "/two")
	p.expectEqual("scroll", eval[string](p, `String(scrollY)`), "0")
	p.expectEqual("focus", eval[string](p, `document.activeElement.localName`), "main")
	p.waitFor(`document.querySelector('.said[role="status"]').textContent === "Two - T"`)
	p.expectEqual("utility classes of the page",
		eval[string](p, `getComputedStyle(document.getElementById("styled")).marginTop`), "37px")
	p.expectEqual("buttons of code", eval[string](p, `String(document.querySelectorAll("figure.code > button.copy").length)`),
		"1")
	p.checkConsole()
}

// Tabs, the outline and islands work on a page that replaced another. The old page's islands are unmounted.
func TestComponentsWorkAfterPageChange(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	p.follow(`#content a[href="/two"]`, "Two")
	p.waitFor(`document.querySelector("lectern-island[data-alive]") !== null`)
	p.click(".more")
	p.waitFor(`document.querySelector(".more").textContent === "count 6"`)
	p.click(`#content lectern-tabs [role="tab"]:nth-of-type(2)`)
	p.waitFor(`document.querySelector('#content [role="tab"]:nth-of-type(2)').getAttribute("aria-selected") === "true"`)
	eval[bool](p, `(window.oldIsland = document.querySelector("lectern-island")) !== null`)
	p.follow(`.sidebar a[href="/three"]`, "Three")
	p.waitFor(`window.oldIsland.childElementCount === 0`) // unmounted
	p.expectEqual("styles of formulas",
		eval[string](p,
			`String([...document.querySelectorAll("link[rel=stylesheet]")].filter((l) => /katex/.test(l.href)).length)`), "1")
	p.follow(`.sidebar a[href="/"]`, "One")
	p.expectEqual("styles of formulas on a page without",
		eval[string](p,
			`String([...document.querySelectorAll("link[rel=stylesheet]")].filter((l) => /katex/.test(l.href)).length)`), "0")
	p.expectEqual("the tab that was chosen",
		eval[string](p, `document.querySelector('#content [role="tab"][aria-selected="true"]').textContent`), "B")
	p.follow(`.sidebar a[href="/two"]`, "Two")
	p.waitFor(`document.querySelector("lectern-island[data-alive] .more")?.textContent === "count 5"`)
	p.expectSameDocument(true)
	p.checkConsole()
}

func TestHistoryRestoresPageAndScrollPosition(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	eval[bool](p, `(scrollTo({ top: 700, behavior: "instant" }), true)`)
	p.waitFor(`history.state?.lectern?.y === 700`)
	// a real click would scroll to the link
	eval[bool](p, `(document.querySelector('.sidebar a[href="/two"]').click(), true)`)
	p.waitForHeading("Two")
	eval[bool](p, `(history.back(), true)`)
	p.waitForHeading("One")
	p.waitFor(`scrollY === 700`)
	eval[bool](p, `(history.forward(), true)`)
	p.waitForHeading("Two")
	p.waitFor(`scrollY === 0`)
	p.expectSameDocument(true)
	p.checkConsole()
}

func TestSectionLinkScrollsToSection(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	p.follow(`#content a[href="/two#middle"]`, "Two")
	p.waitFor(`Math.abs(document.getElementById("middle").getBoundingClientRect().top) < innerHeight / 2`)
	p.expectEqual("address", eval[string](p, `location.pathname + location.hash`), "/two#middle")
	p.expectEqual("target of styles", eval[string](p, `document.querySelector(":target")?.id || ""`), "middle")
	p.expectSameDocument(true)
	eval[bool](p, `(history.back(), true)`)
	p.waitForHeading("One")
	p.expectSameDocument(true)
	p.checkConsole()
}

// The browser itself handles links to anything but pages with the same frame.
func TestOtherLinksLoadNewDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, selector, until string }{
		{"a redirect ends where the server says, hash included", `#content a[href="/two"]`,
			`location.pathname + location.hash === "/two#middle"`},
		{"an address that leads nowhere", `#content a[href="/gone"]`,
			`location.pathname === "/gone" && document.querySelector("h1") !== null`},
		{"a file", `#content a[href="/notes.txt"]`, `location.pathname === "/notes.txt"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openURL(t, servePages(t).URL+"/")
			p.markDocument()
			// builds resolve redirects, so the test restores one
			eval[bool](p, `(document.querySelector('#content a[href="/two"]').setAttribute("href", "/old"), true)`)
			p.click(strings.ReplaceAll(c.selector, "/two", "/old"))
			p.waitFor(c.until)
			p.expectSameDocument(false)
		})
	}
}

// C5: a page with diagrams replaces another one in a document that allows no inline styles, and is then replaced
// itself.
func TestDiagramsAreDrawnAfterPageChange(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	for range 2 {
		p.follow(`.sidebar a[href="/drawn"]`, "Drawn")
		p.waitFor(`document.querySelector("figure.mermaid svg") !== null`)
		p.follow(`#content a[href="/two"]`, "Two")
	}
	p.expectSameDocument(true)
	p.checkConsole()
}

func TestPageOfNewerVersionLoadsNewDocument(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	eval[bool](p, `(window.fetch = ((real) => async (...a) => {
		const r = await real(...a);
		return new Response((await r.text()).replace(/theme\.[0-9a-f]+\.js/, "theme.0000000000.js"), { headers: r.headers });
	})(window.fetch), true)`)
	p.click(`.sidebar a[href="/two"]`)
	p.waitFor(`document.querySelector("h1")?.textContent === "Two" && window.sameDocument === undefined`)
}

func TestLinkWorksWhenFetchFails(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	p.markDocument()
	eval[bool](p, `(window.fetch = () => Promise.reject(new TypeError("no network")), true)`)
	p.click(`.sidebar a[href="/two"]`)
	p.waitFor(`document.querySelector("h1")?.textContent === "Two" && window.sameDocument === undefined`)
}

func TestHoveringLinkPrefetchesPage(t *testing.T) {
	t.Parallel()
	s := servePages(t)
	p := openURL(t, s.URL+"/")
	eval[bool](p,
		`(document.querySelector('.sidebar a[href="/three"]').dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" })), true)`)
	p.waitFor(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/three"))`)
	p.markDocument()
	p.follow(`.sidebar a[href="/three"]`, "Three")
	p.expectSameDocument(true)
	if n := s.requestCount("/three"); n != 1 {
		t.Errorf("the page was requested %d times", n)
	}
}

// Elements that authors' scripts add to the page persist, the scripts are notified of page changes, and each script
// file runs once.
func TestAuthorScriptsAreNotifiedOfPageChanges(t *testing.T) {
	t.Parallel()
	p := openURL(t, servePages(t).URL+"/")
	eval[bool](p,
		`(document.addEventListener("lectern:page", (e) => { window.visited = e.detail.url; }), document.body.append(Object.assign(document.createElement("aside"), { id: "widget" })), true)`)
	p.follow(`.sidebar a[href="/two"]`, "Two")
	p.waitFor(`window.visited?.endsWith("/two")`)
	if !eval[bool](p, `document.getElementById("widget") !== null`) {
		t.Error("the author's element is gone")
	}
	p.checkConsole()
}
