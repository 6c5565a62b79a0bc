package browser

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// assistantSite returns the files of a site with an assistant.
func assistantSite() []string {
	return []string{
		"docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "contextual": {"options": ["copy", "assistant"]},
			"navigation": {"groups": [{"group": "Guide", "pages": ["index", "guides/deploy", "guides/billing", "ask"]}]}}`,
		"index.mdx", "---\ntitle: Welcome\n---\nThe first page of all, with some words to select.\n",
		"guides/deploy.mdx",
		"---\ntitle: Deployment\ndescription: Bring it to production\n---\nHow a deployment runs.\n\n" + longText() +
			"## Roll back\n\nA deployment that went wrong is rolled back with one command.\n\n```bash\nlectern rollback\n```\n\n" + longText(),
		"guides/billing.mdx",
		"---\ntitle: Billing\n---\nInvoices and receipts arrive each month. A deployment costs nothing.\n",
		"ask.mdx", "---\ntitle: Ask us\nmode: assistant\n---\nAsk anything about these docs.\n",
	}
}

const (
	lastAnswer = `[...document.querySelectorAll('.ask-message[data-role="assistant"]')].at(-1)`
	answered   = lastAnswer + `?.hasAttribute("data-busy") === false`
	rollBack   = "You **roll back** with one command [1]:\n\n```bash\nlectern rollback\n```\n\n1. First, check the `status`\n2. Then run it\n   - on *every* machine\n   - once\n\n" +
		"| Plan | Cost |\n|---|---|\n| Free | 0 |\n| Pro | 10 [2] |\n\nSee [Billing](/guides/billing) for more."
)

func deploySources() []map[string]any {
	return []map[string]any{source("1", "/guides/deploy#roll-back", "Deployment › Roll back"),
		source("2", "/guides/billing", "Billing")}
}

// sendQuestion types a question and sends it with the button, because with the Enter key, the driver would also type a
// line break.
func (p *page) sendQuestion(text string) {
	p.t.Helper()
	p.waitFor(`document.activeElement?.matches(".ask-field")`)
	run(p, chromedp.SendKeys(chromedp.CSS(".ask-chat .ask-field"), text))
	p.click(".ask-chat .ask-send")
}

// askAndWait sends a question and waits for the end of its answer.
func (p *page) askAndWait(text string) {
	p.t.Helper()
	n := eval[int](p, `document.querySelectorAll('.ask-message').length`) + 2
	p.sendQuestion(text)
	p.waitFor(`document.querySelectorAll('.ask-message').length === ` + strconv.Itoa(n) + ` && ` + answered)
}

// expectAccessibleInBothSchemes runs axe on the open page in light and dark mode.
func (p *page) expectAccessibleInBothSchemes(name string) {
	p.t.Helper()
	p.loadAxe()
	for _, scheme := range []string{"dark", "light"} {
		eval[bool](p, `(document.documentElement.dataset.scheme = '`+scheme+`') !== ''`)
		eval[bool](p, `(document.getAnimations().forEach((a) => a.finish()), true)`)
		p.checkAxe(name+" in "+scheme, "document", "")
		p.screenshot("ask-" + strings.ReplaceAll(name, " ", "-") + "-" + scheme)
	}
}

func TestReaderChatsWithAssistant(t *testing.T) {
	t.Parallel()
	on := make(chan struct{})
	s := &scriptedAssistant{says: func(w http.ResponseWriter, n int) {
		if n > 1 {
			answer(w, "It costs nothing [1].", source("1", "/guides/billing", "Billing"))
			return
		}
		stream(w, map[string]any{"type": "start", "messageId": "m1"},
			map[string]any{"type": "text-delta", "delta": "You **roll** [1"})
		<-on // until the page has shown the parts so far
		answer(w, strings.TrimPrefix("]"+rollBack, ""), deploySources()...)
	}}
	site := serveAssistant(t, s, assistantSite()...)
	p := openURL(t, site.URL+"/")
	p.waitFor(`document.querySelector("[data-assistant]").hidden === false`)
	if eval[bool](p,
		`performance.getEntriesByType("resource").some((e) => /assistant\.[0-9a-f]+\.(js|css)|_lectern\/api/.test(e.name))`) {
		t.Error("the assistant was loaded before the first question")
	}
	p.key("i", chromedp.ModifierCtrl)
	p.waitFor(`document.querySelector(".ask-starter")?.textContent === "How do I <b>start</b>?"`)
	p.sendQuestion("How do I roll back?")
	p.waitFor(lastAnswer + `?.querySelector(".ask-answer")?.textContent === "You roll [1"`)
	p.expectEqual("the button while an answer comes", eval[string](p, `document.querySelector(".ask-send").ariaLabel`), "Stop")
	close(on)
	p.waitFor(answered)
	p.expectEqual("the answer", eval[string](p,
		lastAnswer+`.querySelector(".ask-answer").innerText.replace(/\s+/g, " ").slice(0, 70)`),
		"You roll 1You roll back with one command 1: bash Copy lectern rollback")
	p.expectEqual("its parts", eval[string](p,
		`["pre code", "ol > li > ul > li", "th[scope=col]", "td a.ask-cite", "em", "strong"].map((q) => `+lastAnswer+
			`.querySelectorAll(q).length).join()`), "1,2,2,1,1,2")
	p.expectEqual("its sources", eval[string](p,
		`[...`+lastAnswer+
			`.querySelectorAll(".ask-sources a")].map((a) => a.textContent + " " + a.getAttribute("href").replace(location.origin, "")).join("; ")`),
		"Deployment › Roll back /guides/deploy#roll-back; Billing /guides/billing")
	// what a screen reader announces
	p.waitFor(`document.querySelector(".ask-said").textContent.includes("roll back with one command")`)
	p.expectAccessibleInBothSchemes("panel")

	p.markDocument()
	p.click(`.ask-answer a.ask-cite[href$="#roll-back"]`)
	p.waitForHeading("Deployment")
	p.expectSameDocument(true)
	p.waitFor(`Math.abs(document.getElementById("roll-back").getBoundingClientRect().top) < innerHeight / 2`)
	p.expectEqual("the conversation after a change of the page",
		eval[string](p, `String(document.querySelectorAll(".ask-message").length)`), "2")

	p.click(".ask-row button[aria-label=Helpful]")
	p.waitFor(
		`!document.querySelector(".ask-comment").hidden && document.querySelector(".ask-row button[aria-label=Helpful]").ariaPressed === "true"`)
	p.fill(".ask-comment input", "spot on")
	p.click(".ask-comment button")
	p.waitFor(`/comment/.test(document.querySelector(".ask-thanks").textContent)`)
	s.expectFeedback(t, `{"comment":"spot on","helpful":true,"messageId":"m1","threadId":"t1"}`)

	eval[bool](p, `(document.querySelector(".ask-field").focus({ preventScroll: true }), true)`)
	p.askAndWait("And what does it cost?")
	second := s.question(2)
	if list := second["messages"].([]any); len(list) != 3 || second["threadId"] != "t1" ||
		second["currentPath"] != "/guides/deploy" {
		t.Errorf("the second request was %v", second)
	}
	p.reload()
	p.waitFor(`document.querySelectorAll(".ask-panel:not([hidden]) .ask-message").length === 4`) // kept in the session
	eval[bool](p, `(document.querySelector(".ask-panel .ask-field").focus(), true)`)
	p.key(kb.Escape)
	p.waitFor(`document.querySelector(".ask-panel").hidden && document.activeElement.matches("[data-assistant]")`)
	p.checkConsoleExcept(axeStyles, "Applying inline style") // of axe
}

// Readers can ask about selected text. The page's menu, an address and a separate page open the assistant, too.
func TestAssistantOpensFromEveryEntryPoint(t *testing.T) {
	t.Parallel()
	s := &scriptedAssistant{says: func(w http.ResponseWriter, n int) {
		answer(w, "Yes [1].", source("1", "/guides/billing", "Billing"))
	}}
	site := serveAssistant(t, s, assistantSite()...)
	p := openURL(t, site.URL+"/")
	eval[bool](p,
		`(() => { const text = document.querySelector("#content > p").firstChild; getSelection().setBaseAndExtent(text, 4, text, 14); return true; })()`)
	p.click(".ask-about")
	p.waitFor(`document.querySelector(".ask-context q")?.textContent === "first page"`)
	p.askAndWait("What is this?")
	if got := s.question(1)["context"].([]any)[0].(map[string]any); got["value"] != "first page" ||
		got["type"] != "textSelection" || got["path"] != "/" {
		t.Errorf("the context was %v", got)
	}
	p.click(`.ask-head button[aria-label="New conversation"]`)
	p.waitFor(`document.querySelectorAll(".ask-message").length === 0`)
	p.click(`.ask-head button[aria-label="Close"]`)
	p.click(".page-menu summary")
	p.click(".page-menu [data-ask]")
	p.waitFor(`document.activeElement.matches(".ask-panel .ask-field")`)
	p.click(`.ask-head button[aria-label="Close"]`)

	// a link from elsewhere only fills in the question: the reader must send it
	p.navigate(site.URL + "/guides/billing?assistant=What%20does%20it%20cost%3F")
	p.waitFor(
		`document.querySelector(".ask-panel .ask-field")?.value === "What does it cost?" && document.activeElement.matches(".ask-field")`)
	p.expectEqual("sent by a link", eval[string](p, `String(document.querySelectorAll(".ask-message").length)`), "0")
	p.key(kb.Enter)
	p.waitFor(`document.querySelector('.ask-message[data-role="user"]')?.textContent === "What does it cost?" && ` +
		answered)
	p.reload()
	p.waitFor(`document.querySelectorAll(".ask-panel:not([hidden]) .ask-message").length === 2`)
	p.click(`.sidebar a[href="/ask"]`)
	p.waitForHeading("Ask us")
	p.waitFor(
		`document.querySelectorAll("[data-ask-page] .ask-message").length === 2 && document.querySelector(".ask-panel") === null`)
	p.key("i", chromedp.ModifierCtrl)
	p.askAndWait("And per month?")
	p.expectAccessibleInBothSchemes("page")
	p.click(`[data-ask-page] a.ask-cite`)
	p.waitForHeading("Billing")
	p.waitFor(`document.querySelector("[data-ask-page]") === null`)
	run(p, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.click("[data-assistant]")
	p.waitFor(
		`document.querySelectorAll(".ask-panel .ask-message").length === 4 && document.querySelector("main").closest("[inert]") !== null`)
	p.expectAccessibleInBothSchemes("phone")
	p.click(`.ask-panel .ask-sources a`)
	p.waitFor(`document.querySelector(".ask-panel").hidden && document.querySelector("[inert]") === null`)
	// a link within the site sends the question
	eval[bool](p, `(location.href = "/guides/deploy?assistant=Who%20rolls%20back%3F", true)`)
	p.waitFor(`document.querySelectorAll(".ask-panel .ask-message").length === 6 && ` + answered)
	if n := len(s.asked); n != 4 {
		t.Errorf("%d questions were asked", n)
	}
	p.checkConsoleExcept(axeStyles)
}

// hostileAnswers returns answers with active content, each with the text that the reader must see.
func hostileAnswers() [][2]string {
	return [][2]string{
		{"<script>window.owned = 1</script><img src=x onerror=\"window.owned = 1\">",
			`<script>window.owned = 1</script><img src=x onerror="window.owned = 1">`},
		{"![pixel](https://evil.example/pixel.png?q=secret) and ![](https://evil.example/b)", "pixel and image"},
		{"[click](javascript:window.owned=1) [data](data:text/html,x) [more](https://evil.example/x) [two](//evil.example/y)", "click data more two"},
		{"[up](/../../x) [back](/\\\\evil.example/z) https://evil.example/bare <https://evil.example/auto>",
			"up back https://evil.example/bare https://evil.example/auto"},
		{"[a\nb](vbscript:x) [<b>bold</b>](/guides/billing \"t\\\"onmouseover=x\")", "a b <b>bold</b>"},
		{"[9] [10, 11] and [1]", "  and 1"},
		{strings.Repeat("*a **b _c ", 400) + strings.Repeat("[", 3000) + strings.Repeat("`", 999), ""},
		{strings.Repeat("> ", 200) + "deep\n\n" + strings.Repeat("- ", 200) + "x\n", ""},
		{"| a | b |\n|---|---|\n" + strings.Repeat("| <i>x</i> | [y](javascript:0) |\n", 3), ""},
	}
}

// C6: whatever an answer contains, the page runs none of it, loads nothing from other hosts and links only within the
// site.
func TestHostileAnswersAreShownAsText(t *testing.T) {
	t.Parallel()
	cases, stopped := hostileAnswers(), make(chan struct{})
	s := &scriptedAssistant{says: func(w http.ResponseWriter, n int) {
		if n <= len(cases) {
			answer(w, cases[n-1][0], source("1", "/guides/billing", "<b>Billing</b>"),
				source("7", "javascript:window.owned=1", "bad"), source("8", "http://evil.example/", "plain"))
			return
		}
		switch n - len(cases) {
		case 1:
			stream(w, map[string]any{"type": "text-delta", "delta": "Half"},
				map[string]any{"type": "error", "errorText": "The model <b>failed</b>."})
		case 2:
			stream(w, map[string]any{"type": "text-delta", "delta": "Cut"})
		case 3:
			w.Header().Set("Retry-After", "600")
			http.Error(w, `{"error": "no", "code": "rate_limited"}`, http.StatusTooManyRequests)
		case 5:
			stream(w, map[string]any{"type": "text-delta", "delta": "Begun"})
			<-stopped
		default:
			// the reader may be gone
			_,
				_ = w.Write(
				[]byte(
					"data: nonsense\r\n\r\n: comment\r\rdata: {\"type\":\r\ndata: \"text-delta\", \"delta\": \"good\"}\r\n\r\ndata: {\"type\": \"finish\"}"))
		}
	}}
	site := serveAssistant(t, s, assistantSite()...)
	p := openURL(t, site.URL+"/guides/billing")
	p.click("[data-assistant]")
	for _, c := range cases {
		p.askAndWait("x")
		if got := eval[string](p,
			lastAnswer+`.querySelector(".ask-answer").textContent.replace(/\s/g, " ")`); c[1] != "" && got != c[1] {
			t.Errorf("%.60q is shown as %q, want %q", c[0], got, c[1])
		}
	}
	p.expectEqual("links", eval[string](p,
		`[...new Set([...document.querySelectorAll(".ask-panel a")].map((a) => a.getAttribute("href").replace(location.origin, "")))].join()`), "/guides/billing,/x")
	p.expectEqual("elements", eval[string](p,
		`String(document.querySelectorAll(".ask-panel :is(script, img, iframe, i:not(.ask-wait i), b, style, object, [onerror], [onmouseover])").length + (window.owned ?? 0))`), "0")
	if eval[bool](p, `performance.getEntriesByType("resource").some((e) => !e.name.startsWith(location.origin))`) {
		t.Error("an answer made the page contact another host")
	}
	for _, want := range []string{"The model <b>failed</b>. Try again", "The answer was interrupted. Try again",
		"Too many questions. Try again in 10 minutes. Try again"} {
		p.askAndWait("x")
		p.expectEqual("a failure", eval[string](p, lastAnswer+`.querySelector(".ask-error").textContent`), want)
	}
	p.click(`.ask-message:last-child .ask-error button`)
	p.waitFor(lastAnswer + `.querySelector(".ask-answer").textContent === "good" && ` + answered)
	p.sendQuestion("x")
	p.waitFor(lastAnswer + `.querySelector(".ask-answer").textContent === "Begun"`)
	p.click(".ask-send[data-stop]")
	p.waitFor(answered + ` && ` + lastAnswer + `.querySelector(".ask-note").textContent === "Stopped."`)
	close(stopped)
	p.checkConsoleExcept("Failed to load resource: the server responded with a status of 429")
}
