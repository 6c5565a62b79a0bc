package browser

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// assistantBundle builds a bundle whose assistant works without a server.
func assistantBundle(t *testing.T, pairs ...string) string {
	t.Helper()
	docs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return askingFrom(t, docs)
}

// askingFrom is like assistantBundle, but takes a docs folder. The bundle offers no search.
func askingFrom(t *testing.T, docs fs.FS) string {
	t.Helper()
	return exportWith(t, docs, capability.Offers{Assistant: capability.Assistant{On: true, InBrowser: true}})
}

// exportWith builds a bundle with the offered features in a temporary folder.
func exportWith(t *testing.T, docs fs.FS, offers capability.Offers) string {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	opt := build.Options{Links: link.Relative, Offers: offers}
	if _, err := build.Build(t.Context(), docs, opt, output.NewDir(root)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A bundle's assistant works from disk: it quotes passages with their sources, states that it uses no language model,
// and stays open across page changes.
func TestAssistantWorksFromDisk(t *testing.T) {
	t.Parallel()
	p := open(t, assistantBundle(t, assistantSite()...), "guides/billing.html")
	p.waitFor(`document.querySelector("[data-assistant]").hidden === false`)
	p.expectEqual("its name", eval[string](p, `document.querySelector("[data-assistant]").textContent.trim()`), "Find an answer")
	p.key("i", chromedp.ModifierCtrl)
	p.askAndWait("How is a wrong deployment rolled back?")
	p.expectEqual("the first passage", eval[string](p, lastAnswer+`.querySelector(".ask-answer h4").textContent + " " + `+
		lastAnswer+`.querySelector("blockquote").textContent.slice(0, 61)`),
		"Deployment › Roll back 1 A deployment that went wrong is rolled back with one command.")
	p.expectEqual("its code", eval[string](p, lastAnswer+`.querySelector("pre code")?.textContent`), "lectern rollback")
	p.waitFor(`document.querySelector(".ask-care").textContent === "Passages from these docs, without a language model."`)
	p.expectEqual("no thumbs", eval[string](p, `String(document.querySelectorAll(".ask-panel [aria-pressed]").length)`), "0")
	p.screenshot("ask-disk")
	p.click(`.ask-answer a.ask-cite`)
	p.waitForHeading("Deployment")
	p.waitFor(`location.href.endsWith("/guides/deploy.html#roll-back")`)
	p.waitFor(`document.querySelectorAll(".ask-panel:not([hidden]) .ask-message").length === 2`)
	p.click(".ask-panel .ask-field")
	p.askAndWait("qqqqzzzz wwwwvvvv xxxxkkkk jjjjyyyy")
	p.expectEqual("nothing fits", eval[string](p, lastAnswer+`.querySelector(".ask-answer").textContent`),
		"The documentation does not cover this. I can only quote from it: ask about something that it describes.")
	p.checkConsole()
}

// A site without an assistant sends no assistant requests, whatever keys a reader presses, and its assistant page is an
// ordinary page.
func TestPagesWithoutAssistantSendNoQuestions(t *testing.T) {
	t.Parallel()
	s := serve(t, assistantSite()...)
	p := openURL(t, s.URL+"/ask?assistant=hello")
	p.waitFor(`document.querySelector("[data-search]").hidden === false`)
	p.key("i", chromedp.ModifierCtrl)
	eval[bool](p, `(getSelection().selectAllChildren(document.querySelector("#content > p")), true)`)
	p.expectEqual("its traces", eval[string](p,
		`String(document.querySelectorAll('[class*="ask-"], [data-ask], [data-assistant], [data-ask-page], [data-mode]').length) + typeof window.lecternAssistant`), "0undefined")
	p.expectEqual("its requests", eval[string](p,
		`performance.getEntriesByType("resource").map((e) => e.name).filter((n) => /assistant|_lectern\/api/.test(n)).join()`), "")
	p.checkConsole()
}
