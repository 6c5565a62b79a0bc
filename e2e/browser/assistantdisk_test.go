package browser

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// asking builds a bundle that answers by itself.
func asking(t *testing.T, pairs ...string) string {
	t.Helper()
	docs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	// search itself is off
	opt := build.Options{Links: link.Relative,
		Offers: capability.Offers{Assistant: capability.Assistant{On: true, InBrowser: true}}}
	if _, err := build.Build(t.Context(), docs, opt, output.NewDir(root)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A bundle's assistant works from a disk: it quotes passages with their places, says what it is, and goes along from
// page to page.
func TestAssistantFromDisk(t *testing.T) {
	t.Parallel()
	p := open(t, asking(t, talkative()...), "guides/billing.html")
	p.until(`document.querySelector("[data-assistant]").hidden === false`)
	p.same("its name", eval[string](p, `document.querySelector("[data-assistant]").textContent.trim()`), "Find an answer")
	p.key("i", chromedp.ModifierCtrl)
	p.asks("How is a wrong deployment rolled back?")
	p.same("the first passage", eval[string](p, lastAnswer+`.querySelector(".ask-answer h4").textContent + " " + `+
		lastAnswer+`.querySelector("blockquote").textContent.slice(0, 61)`),
		"Deployment › Roll back 1 A deployment that went wrong is rolled back with one command.")
	p.same("its code", eval[string](p, lastAnswer+`.querySelector("pre code")?.textContent`), "lectern rollback")
	p.until(`document.querySelector(".ask-care").textContent === "Passages from these docs, without a language model."`)
	p.same("no thumbs", eval[string](p, `String(document.querySelectorAll(".ask-panel [aria-pressed]").length)`), "0")
	p.picture("ask-disk")
	p.click(`.ask-answer a.ask-cite`)
	p.at("Deployment")
	p.until(`location.href.endsWith("/guides/deploy.html#roll-back")`)
	p.until(`document.querySelectorAll(".ask-panel:not([hidden]) .ask-message").length === 2`)
	p.click(".ask-panel .ask-field")
	p.asks("qqqqzzzz wwwwvvvv xxxxkkkk jjjjyyyy")
	p.same("nothing fits", eval[string](p, lastAnswer+`.querySelector(".ask-answer").textContent`),
		"The documentation does not cover this. I can only quote from it: ask about something that it describes.")
	p.quiet()
}

// A site without an assistant asks for nothing of it, whatever a reader presses, and a page made for one is as others
// are.
func TestPagesWithoutAnAssistantSendNoQuestions(t *testing.T) {
	t.Parallel()
	s := serve(t, talkative()...)
	p := openURL(t, s.URL+"/ask?assistant=hello")
	p.until(`document.querySelector("[data-search]").hidden === false`)
	p.key("i", chromedp.ModifierCtrl)
	eval[bool](p, `(getSelection().selectAllChildren(document.querySelector("#content > p")), true)`)
	p.same("its traces", eval[string](p,
		`String(document.querySelectorAll('[class*="ask-"], [data-ask], [data-assistant], [data-ask-page], [data-mode]').length) + typeof window.lecternAssistant`), "0undefined")
	p.same("its requests", eval[string](p,
		`performance.getEntriesByType("resource").map((e) => e.name).filter((n) => /assistant|_lectern\/api/.test(n)).join()`), "")
	p.quiet()
}
