package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

func searchable() []string {
	return []string{
		"docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"groups": [{"group": "Guide", "pages": ["index", "guides/deploy", "guides/billing"]}]}}`,
		"index.mdx", "---\ntitle: Welcome\n---\nThe first page of all.\n",
		"guides/deploy.mdx",
		"---\ntitle: Deployment\ndescription: Bring it to production\n---\nHow a deployment runs.\n\n" + longText() +
			"## Deployment history\n\nA deployment that went wrong is rolled back with one command.\n\n" + longText(),
		"guides/billing.mdx",
		"---\ntitle: Billing\n---\nInvoices and receipts arrive each month. A deployment costs nothing.\n",
	}
}

const (
	shownOptions = `[...document.querySelectorAll('dialog.search [role="option"]')]`
	activeOption = `document.getElementById(document.querySelector('dialog.search input').getAttribute("aria-activedescendant"))`
)

// pressSlash dispatches the key event of a slash. A browser types no character when the page handles the key; the
// driver would.
func (p *page) pressSlash() {
	p.t.Helper()
	eval[bool](p,
		`(document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true })), true)`)
}

func TestSearchWorksByKeyboard(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, searchable()...).URL+"/")
	p.markDocument()
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(
		`document.querySelector("dialog.search[open]") !== null && document.activeElement.matches("dialog.search input")`)
	p.key("deploym")
	p.waitFor(shownOptions + `.length >= 2 && ` + activeOption + ` !== null`)
	p.expectEqual("the combobox", eval[string](p,
		`(({ role, ariaExpanded, ariaAutoComplete }) => [role, ariaExpanded, ariaAutoComplete].join())(document.activeElement)`), "combobox,true,list")
	p.expectEqual("the best is chosen", eval[string](p, activeOption+`.querySelector(".search-title").textContent`),
		"Deployment")
	p.expectEqual("its words are marked", eval[string](p, activeOption+`.querySelector(".search-title mark").textContent`),
		"Deploym")
	first := eval[string](p, activeOption+`.id`)
	p.key(kb.ArrowUp)
	p.expectEqual("up from the first is the last", eval[string](p, `String(`+activeOption+` === `+shownOptions+`.at(-1))`),
		"true")
	p.key(kb.Home)
	p.expectEqual("Home", eval[string](p, activeOption+`.id`), first)
	p.key(kb.End)
	p.expectEqual("End", eval[string](p, `String(`+activeOption+` === `+shownOptions+`.at(-1))`), "true")
	p.key(kb.Home)
	p.key(kb.ArrowDown)
	p.expectEqual("the arrow", eval[string](p, `String(`+activeOption+` === `+shownOptions+`[1])`), "true")
	p.expectEqual("one is chosen", eval[string](p,
		`String(document.querySelectorAll('dialog.search [aria-selected="true"]').length)`), "1")
	eval[bool](p, `(document.activeElement.select(), true)`)
	p.key("history")
	p.waitFor(shownOptions + `[0]?.matches(".search-section")`)
	p.expectEqual("a section below its page",
		eval[string](p, activeOption+
			`.parentElement.querySelector(".search-group .search-title").textContent + ": " + `+activeOption+
			`.querySelector(".search-title").textContent`), "Deployment: Deployment history")
	p.key(kb.Enter)
	p.waitForHeading("Deployment")
	p.expectSameDocument(true)
	p.waitFor(`location.pathname + location.hash === "/guides/deploy#deployment-history"`)
	p.waitFor(`Math.abs(document.getElementById("deployment-history").getBoundingClientRect().top) < innerHeight / 2`)
	p.waitFor(`document.querySelector("dialog.search[open]") === null`)
	p.pressSlash()
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.waitFor(shownOptions + `.map((o) => o.textContent.trim()).join() === "history"`) // the earlier query
	p.key(kb.Escape)
	p.waitFor(`document.querySelector("dialog.search[open]") === null`)
	p.checkConsole()
}

func TestSearchReportsNoResults(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, searchable()...).URL+"/")
	p.click("[data-search]")
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key("qqqqzzzz wwwwvvvv")
	p.waitFor(`/No results.*qqqqzzzz wwwwvvvv/.test(document.querySelector(".search-note").textContent) && ` +
		shownOptions + `.length === 0`)
	p.expectEqual("expanded", eval[string](p, `document.activeElement.ariaExpanded`), "false")
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.checkConsole()
}

// Results that arrive late or out of order are not shown: the list always matches the text in the field.
func TestOutdatedResultsAreNotShown(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, searchable()...).URL+"/")
	p.click("[data-search]")
	p.waitFor(`window.lecternSearch?.open !== undefined`)
	eval[bool](p, `(() => {
		const fill = (text) => { const f = document.querySelector("dialog.search input"); f.value = text; f.dispatchEvent(new Event("input")); };
		fill("deployment"); fill("deploymentx"); fill("invoices");
		return true;
	})()`)
	p.waitFor(shownOptions + `[0]?.querySelector(".search-title")?.textContent === "Billing"`)
	p.expectEqual("chosen", eval[string](p, activeOption+`.querySelector(".search-title").textContent`), "Billing")
	p.checkConsole()
}

// Each key sends another query, which fails. None of these failures may replace the retry button under the pointer.
func TestSearchReportsLoadFailure(t *testing.T) {
	t.Parallel()
	s := serve(t, searchable()...)
	p := openURL(t, s.URL+"/")
	eval[bool](p, `(document.querySelector("[data-search]").dataset.index = "/nowhere/index.js", true)`)
	p.click("[data-search]")
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key("deploy")
	p.waitFor(`/could not be loaded/.test(document.querySelector(".search-note").textContent)`)
	// Every attempt counts as slow, so that the dialog shows that it is searching.
	eval[bool](p, `(() => {
		const set = window.setTimeout;
		window.setTimeout = (run, ms, ...rest) => ms === 150 ? (run(), 0) : set(run, ms, ...rest);
		Object.assign(window, { failures: 0, retry: document.querySelector(".search-retry") });
		console.warn = () => window.failures++;
		return true;
	})()`)
	p.key("m")
	p.waitFor(`window.failures > 0`)
	if !eval[bool](p, `window.retry.isConnected`) {
		t.Error("a later failure replaced the button")
	}
	eval[bool](p, `(document.querySelector("[data-search]").dataset.index = "/_lectern/search/index.js", true)`)
	p.click(".search-note button")
	p.waitFor(shownOptions + `.length > 0`)
}

func TestSearchWorksFromDisk(t *testing.T) {
	t.Parallel()
	p := open(t, site(t, searchable()...), "guides/billing.html")
	p.pressSlash()
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.key("rolled back")
	p.waitFor(shownOptions + `.length > 0`)
	p.key(kb.Enter)
	p.waitForHeading("Deployment")
	p.waitFor(`location.href.includes("/guides/deploy.html#deployment-history")`)
	p.checkConsole()
}

func TestSearchFillsPhoneScreen(t *testing.T) {
	t.Parallel()
	p := openAs(t, serve(t, searchable()...).URL+"/", reader{phone: true})
	p.click("[data-search]")
	p.waitFor(
		`document.querySelector("dialog.search").getBoundingClientRect().width === innerWidth && document.querySelector("dialog.search").getBoundingClientRect().height >= innerHeight`)
	p.click(".search-close")
	p.waitFor(`document.querySelector("dialog.search[open]") === null`)
	p.checkConsole()
}

const searchRow = `document.querySelector("dialog.search .search-ask")`

// The last row passes the query to the assistant, even if nothing was found.
func TestSearchPassesQueryToAssistant(t *testing.T) {
	t.Parallel()
	s := &scriptedAssistant{says: func(w http.ResponseWriter, _ int) {
		answer(w, "It costs nothing [1].", source("1", "/guides/billing", "Billing"))
	}}
	p := openURL(t, serveAssistant(t, s, assistantSite()...).URL+"/")
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.expectEqual("the row before a query", eval[string](p, `String(`+searchRow+`)`), "null")
	p.key("deployment costs")
	p.waitFor(shownOptions + `.length > 1 && ` + searchRow + `?.textContent === "Ask the assistant: deployment costs"`)
	p.expectEqual("it is the last", eval[string](p, `String(`+searchRow+` === `+shownOptions+`.at(-1))`), "true")
	p.expectEqual("a page is chosen first", eval[string](p, `String(`+activeOption+` === `+searchRow+`)`), "false")
	p.waitFor(`(({ top, bottom }, body) => top >= body.top && bottom <= body.bottom + 1)(` + searchRow +
		`.getBoundingClientRect(), document.querySelector(".search-body").getBoundingClientRect())`)
	p.key(kb.ArrowUp)
	p.expectEqual("up from the first", eval[string](p, `String(`+activeOption+` === `+searchRow+`)`), "true")
	p.expectEqual("the list stays, as the row is in view", eval[string](p, `String(document.querySelector(".search-body").scrollTop)`), "0")
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.search[open]") === null && document.activeElement.matches(".ask-field")`)
	p.waitFor(answered)
	if got := s.question(1)["messages"].([]any); len(got) != 1 || !strings.Contains(fmt.Sprint(got[0]), "deployment costs") {
		t.Errorf("the assistant was asked %v", got)
	}
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key("qqqqzzzz wwwwvvvv")
	p.waitFor(`/No results/.test(document.querySelector(".search-note").textContent) && ` + shownOptions + `.length === 1`)
	p.expectEqual("nothing is sent unless the reader chooses it", eval[string](p, `String(`+activeOption+`)`), "null")
	p.click(".search-ask")
	p.waitFor(`document.querySelectorAll('.ask-message[data-role="user"]').length === 2 && ` + answered)
	if got := fmt.Sprint(s.question(2)["messages"]); !strings.Contains(got, "qqqqzzzz wwwwvvvv") {
		t.Errorf("the assistant was asked %v", got)
	}
	p.checkConsole()
}

// Without a language model, the row's text says so, like the button's.
func TestSearchRowMentionsMissingModel(t *testing.T) {
	t.Parallel()
	docs := fstest.MapFS{}
	for pairs := assistantSite(); len(pairs) > 1; pairs = pairs[2:] {
		docs[pairs[0]] = &fstest.MapFile{Data: []byte(pairs[1])}
	}
	p := open(t, exportWith(t, docs, capability.Offers{Search: true,
		Assistant: capability.Assistant{On: true, InBrowser: true}}), "index.html")
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog.search input")`)
	p.key("rolled back")
	p.waitFor(searchRow + ` !== null`)
	p.expectEqual("the row", eval[string](p, `[...`+searchRow+`.querySelector(".search-text").children].map((e) => e.textContent).join("; ")`),
		"Find an answer: rolled back; Passages from these docs, without a language model.")
	p.key(kb.End)
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.search[open]") === null && ` + answered)
	p.expectEqual("the answer", eval[string](p, lastAnswer+`.querySelector(".ask-answer h4").textContent`), "Deployment › Roll back 1")
	p.checkConsole()
}

// Before anything is typed, the dialog suggests the first pages of the navigation.
func TestSearchSuggestsFirstPages(t *testing.T) {
	t.Parallel()
	p := openURL(t, serve(t, searchable()...).URL+"/guides/deploy")
	p.markDocument()
	p.key("k", chromedp.ModifierCtrl)
	p.waitFor(shownOptions + `.map((o) => o.textContent.trim()).join() === "Welcome,Billing"`) // not the page itself
	p.expectEqual("its heading", eval[string](p, `document.querySelector(".search-note").textContent`), "Pages")
	p.expectEqual("none is chosen", eval[string](p, `String(`+activeOption+`)`), "null")
	p.key(kb.Enter)
	p.waitFor(`document.querySelector("dialog.search[open]") !== null`)
	p.key("x")
	p.waitFor(`!` + shownOptions + `.some((o) => o.textContent.trim() === "Welcome")`)
	p.key(kb.Backspace)
	p.waitFor(shownOptions + `.map((o) => o.textContent.trim()).join() === "Welcome,Billing"`)
	p.key(kb.ArrowDown)
	p.key(kb.ArrowDown)
	p.key(kb.Enter)
	p.waitForHeading("Billing")
	p.expectSameDocument(true)
	p.checkConsole()
}
