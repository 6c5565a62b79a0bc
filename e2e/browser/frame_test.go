package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const frameJSON = `{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "banner": {"content": "Version **9** is out", "dismissible": true},
	"contextual": {"options": ["copy", "view"]},
	"navbar": {"links": [{"label": "Help", "href": "/two"}], "primary": {"type": "button", "label": "Start", "href": "/two"}},
	"navigation": {"versions": [{"version": "v2", "groups": [{"group": "Guide", "pages": ["index", "two"]}]}, {"version": "v1", "groups": [{"group": "Old", "pages": ["old"]}]}]}}`

func framed() []string {
	return []string{
		"docs.json", frameJSON, "two.mdx", "---\ntitle: Two\n---\ntext\n", "old.mdx", "---\ntitle: Old\n---\ntext\n",
		"wide.svg",
		`<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1500"><rect width="3000" height="1500" fill="teal"/></svg>`,
		"index.mdx",
		"---\ntitle: One\n---\nSome *text*.\n\n![A wide picture](/wide.svg)\n\n<a href=\"/two\"><img id=\"linked\" src=\"/wide.svg\" alt=\"x\" /></a>\n\n<img id=\"fixed\" noZoom src=\"/wide.svg\" alt=\"y\" />\n\n" +
			"## First\n\n" + longText() + "## Second\n\n" + longText() + "## Third\n\nend\n",
	}
}

func TestColourSchemePersistsAndFollowsOtherTabs(t *testing.T) {
	t.Parallel()
	s := serve(t, framed()...)
	p := openURL(t, s.URL+"/")
	// The class repeats the attribute for style rules written by authors.
	scheme := func() string {
		return eval[string](p, `((e) => e.dataset.scheme +
			(e.classList.contains("dark") === (e.dataset.scheme === "dark") ? "" : " without its class"))(document.documentElement)`)
	}
	p.expectEqual("at first", scheme(), "light")
	p.waitFor(`document.querySelector(".toc-item[data-active][data-active-deepest]") !== null`)
	p.click("button.scheme")
	p.expectEqual("after the click", scheme(), "dark")
	p.expectEqual("the button", eval[string](p, `document.querySelector("button.scheme").getAttribute("aria-pressed")`),
		"true")
	p.expectEqual("the browser's own parts", eval[string](p, `getComputedStyle(document.documentElement).colorScheme`), "dark")
	p.follow(`.sidebar a[href="/two"]`, "Two")
	p.expectEqual("on the next page", scheme()+eval[string](p, `String(document.querySelector("button.scheme").hidden)`),
		"darkfalse")
	p.reload()
	p.waitForHeading("Two")
	p.expectEqual("in a new document", scheme(), "dark")
	eval[bool](p,
		`(window.dispatchEvent(new StorageEvent("storage", { key: "lectern-scheme" })), localStorage.setItem("lectern-scheme", "light"), window.dispatchEvent(new StorageEvent("storage", { key: "lectern-scheme" })), true)`)
	p.expectEqual("after another tab chose", scheme(), "light")
	p.checkConsole()
}

func TestDismissedBannerStaysHidden(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, framed()...).URL+"/")
	shown := `(document.querySelector("body [data-banner]")?.getClientRects().length ?? 0) > 0`
	p.waitFor(shown)
	p.click("[data-dismiss]")
	p.waitFor(`!(` + shown + `)`)
	p.follow(`.sidebar a[href="/two"]`, "Two")
	p.waitFor(`!(` + shown + `)`)
	p.reload()
	p.waitForHeading("Two")
	p.waitFor(`!(` + shown + `)`)
	eval[bool](p, `(localStorage.clear(), true)`)
	p.reload()
	p.waitFor(shown)
	p.checkConsole()
}

func TestPageIsCopiedAsMarkdown(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, framed()...).URL+"/")
	// In a headless browser the clipboard cannot be read, but the text passed to it can.
	eval[bool](p,
		`(Object.defineProperty(navigator, "clipboard", { value: { write: async ([item]) => { window.copied = await (await item.getType("text/plain")).text(); } } }), true)`)
	label := eval[string](p, `document.querySelector("[data-copy-page]").textContent.trim()`)
	p.click("[data-copy-page]")
	p.waitFor(`window.copied?.includes("Some *text*.")`)
	p.waitFor(`document.querySelector("[data-copy-page]").textContent.trim() === "Copied"`)
	p.waitFor(`document.querySelector("[data-copy-page]").textContent.trim() === "` + label + `"`)
	p.checkConsole()
}

func TestMenusCloseOnEscapeAndOutsideClick(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, framed()...).URL+"/")
	menu := `document.querySelector("details.switch")`
	p.click("details.switch > summary")
	p.waitFor(menu + `.open`)
	p.key(kb.ArrowDown)
	p.waitFor(menu + `.contains(document.activeElement) && document.activeElement.localName === "a"`)
	p.key(kb.Escape)
	p.waitFor(`!` + menu + `.open && document.activeElement === ` + menu + `.querySelector("summary")`)
	p.click("details.switch > summary")
	p.waitFor(menu + `.open`)
	p.click("#page-title")
	p.waitFor(`!` + menu + `.open`)
	p.checkConsole()
}

func TestPicturesZoomInAndOut(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, framed()...).URL+"/")
	p.waitFor(`document.querySelector('#content img[alt="A wide picture"]').dataset.zoom === ""`)
	p.expectEqual("linked or fixed ones do not",
		eval[string](p,
			`String(document.querySelector("#linked").dataset.zoom ?? document.querySelector("#fixed").dataset.zoom ?? "none")`), "none")
	before := eval[int](p, `document.querySelector('#content img[alt="A wide picture"]').clientWidth`)
	p.click(`#content img[alt="A wide picture"]`)
	p.waitFor(`document.querySelector("dialog.zoom img")?.clientWidth > 0`)
	if after := eval[int](p, `document.querySelector("dialog.zoom img").clientWidth`); after <= before {
		t.Errorf("the picture is %d wide, was %d", after, before)
	}
	p.key(kb.Escape)
	p.waitFor(`document.querySelector("dialog.zoom") === null`)
	eval[bool](p, `(document.querySelector("img[data-zoom]").focus(), true)`)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.zoom[open]") !== null`)
	p.checkConsole()
}

func TestOutlineFollowsScrolling(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, framed()...).URL+"/")
	current := `document.querySelector('.outline a[aria-current]')?.textContent`
	p.waitFor(current + ` === "First"`)
	eval[bool](p, `(document.getElementById("second").scrollIntoView({ behavior: "instant" }), true)`)
	p.waitFor(current + ` === "Second"`)
	first := eval[string](p, `document.querySelector(".outline ul").style.getPropertyValue("--mark-top")`)
	eval[bool](p, `(scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }), true)`)
	p.waitFor(current +
		` === "Third" && document.querySelector(".outline ul").style.getPropertyValue("--mark-top") !== "` + first +
		`"`)
	p.checkConsole()
}

func TestPhoneNavigationDrawerKeepsFocus(t *testing.T) {
	t.Parallel()
	p := openAs(t, serve(t, framed()...).URL+"/", reader{phone: true})
	link := `document.querySelector('.sidebar a[href="/two"]')`
	p.waitFor(link + `.getClientRects().length === 0`)
	p.click("details.drawer > summary")
	p.waitFor(link + `.getClientRects().length > 0 && document.documentElement.hasAttribute("data-drawer")`)
	p.expectEqual("version switches that show", eval[string](p, `[...document.querySelectorAll('.switch[data-kind="version"]')]
		.filter((e) => e.checkVisibility()).map((e) => e.closest(".sidebar") ? "drawer" : "bar").join()`), "drawer")
	p.expectEqual("links of the bar that show", eval[string](p, `[...document.querySelectorAll(".navbar-links a")]
		.filter((e) => e.checkVisibility()).map((e) => e.textContent).join()`), "Start")
	p.expectEqual("the page behind", eval[string](p, `getComputedStyle(document.documentElement).overflowY`), "hidden")
	for range 30 { // more than the drawer has elements
		p.key(kb.Tab)
		if !eval[bool](p, `document.activeElement.closest(".sidebar, details.drawer") !== null`) {
			t.Fatal("the Tab key leaves the drawer: " + eval[string](p, `document.activeElement.outerHTML`))
		}
	}
	p.key(kb.Escape)
	p.waitFor(link + `.getClientRects().length === 0 && document.activeElement.matches("details.drawer > summary")`)
	p.click("details.drawer > summary")
	// the drawer slides in
	p.waitFor(link + `.getClientRects().length > 0 && document.getAnimations().every((a) => a.playState !== "running")`)
	p.markDocument()
	p.follow(`.sidebar a[href="/two"]`, "Two")
	p.expectSameDocument(true)
	p.waitFor(`!document.documentElement.hasAttribute("data-drawer") && !document.querySelector("details.drawer").open`)
	p.checkConsole()
}

func TestReducedMotionIsRespected(t *testing.T) {
	t.Parallel()
	p := openAs(t, serve(t, framed()...).URL+"/", reader{phone: true, calm: true})
	const moving = `document.getAnimations().filter((a) => a.effect.getComputedTiming().duration > 10).length`
	p.click("details.drawer > summary")
	p.expectEqual("things that move with the drawer", eval[string](p, `String(`+moving+`)`), "0")
	p.key(kb.Escape)
	p.click("[data-search]")
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.expectEqual("things that move with the dialog", eval[string](p, `String(`+moving+`)`), "0")
	p.checkConsole()
}

func TestEverythingWorksFromDisk(t *testing.T) {
	t.Parallel()
	dir := site(t, framed()...)
	p := open(t, dir, "index.html")
	p.markDocument()
	p.click("button.scheme")
	p.expectEqual("scheme", eval[string](p, `document.documentElement.dataset.scheme`), "dark")
	p.follow(`.sidebar a[href="two.html"]`, "Two")
	p.expectSameDocument(false)
	p.expectEqual("scheme on the next page", eval[string](p, `document.documentElement.dataset.scheme`), "dark")
	p.checkConsole()
}

// The outline lists visible headings and follows tabs and accordions. In a window too narrow for its column, it opens
// from a bar, with mouse or keyboard, and nothing moves when it appears.
func TestOutlineListsVisibleHeadings(t *testing.T) {
	t.Parallel()
	s := serve(t, "docs.json", pagesJSON, "index.mdx", "---\ntitle: One\n---\n## Start\n\n<Tabs><Tab title=\"A\">\n## In A\n</Tab>"+
		"<Tab title=\"B\">\n## In B\n</Tab></Tabs>\n\n<Accordion title=\"More\">\n## Inner\n</Accordion>\n\n"+longText()+"## End\n\n"+longText(),
		"two.mdx", "---\ntitle: Two\n---\ntext\n", "three.mdx", "text\n", "drawn.mdx", "text\n")
	p := openURL(t, s.URL+"/")
	shown := `[...document.querySelectorAll(".outline li")].filter((e) => e.getClientRects().length).map((e) => e.textContent).join()`
	p.waitFor(shown + ` === "Start,In A,End"`)
	p.click(`#content [role="tab"]:nth-of-type(2)`)
	p.waitFor(shown + ` === "Start,In B,End"`)
	p.click("details.accordion > summary")
	p.waitFor(shown + ` === "Start,In B,Inner,End"`)

	run(p, chromedp.EmulateViewport(1100, 800))
	p.waitFor(shown + ` === ""`)
	p.click(".outline-toggle > summary")
	p.waitFor(shown + ` === "Start,In B,Inner,End"`)
	p.key(kb.Escape)
	p.waitFor(shown + ` === "" && document.activeElement.matches(".outline-toggle > summary")`)
	p.key(kb.Enter)
	p.click(`.outline a[href="#end"]`)
	p.waitFor(shown + ` === "" && location.hash === "#end" && scrollY > 500`)
	p.waitFor(`document.querySelector(".outline-toggle").getBoundingClientRect().bottom <=
		document.getElementById("end").getBoundingClientRect().top`)
	p.checkConsole()
}
