package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
)

// publish creates a project from a docs folder and waits until it is live.
func (f *freshServer) publish(domain string, pairs ...string) {
	f.t.Helper()
	dir := f.t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		name := filepath.Join(dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pairs[i+1]), 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	if _, err := f.CreateProject(f.t.Context(),
		client.CreateProject{Name: "Docs", Domain: domain, Source: client.SourceInput{Path: dir}}); err != nil {
		f.t.Fatal(err)
	}
	f.project(domain)
}

// serveWidgetHost serves another site, with its own content security policy, that embeds the docs' widget. Its page
// keeps a reference to the widget's shadow root for the test.
func serveWidgetHost(t *testing.T, docs *string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Content-Security-Policy",
			"default-src 'none'; img-src data:; script-src 'unsafe-inline' "+*docs+"; connect-src "+*docs)
		fmt.Fprintf(w, `<!doctype html><title>App</title><link rel="icon" href="data:,"><body><p>An application.</p>
			<script>const real = Element.prototype.attachShadow; Element.prototype.attachShadow = function (how) { window.how = how.mode; return window.inside = real.call(this, how); };</script>
			<script src="%s/_lectern/assistant-widget.js" data-color="#0f766e" data-label="Help"></script>`, *docs)
	}))
	t.Cleanup(s.Close)
	return s
}

// C6: questions go from a page through the server to a streaming model, and then to a malicious one. The same assistant
// also works on other sites.
func TestServerAssistantAnswersInBrowser(t *testing.T) {
	t.Parallel()
	model := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Script: llmtest.Script{
		llmtest.Say(
			"A deployment that went wrong is rolled back with **one command** [1]:\n\n```bash\nlectern rollback\n```").
			Expecting("How do I roll back?"),
		llmtest.Say("It costs nothing [1].").Expecting("cost"),
		llmtest.Say(
			"<img src=\"https://evil.example/x\" onerror=\"window.owned=1\"> ![p](https://evil.example/p.png) [click](javascript:window.owned=1) [site](https://evil.example/) Roll back with one command [1] [99]."),
	}})
	var docs string
	friend, stranger := serveWidgetHost(t, &docs), serveWidgetHost(t, &docs)
	f := startFreshServer(t, []string{"LECTERN_ASSISTANT_KEY=" + model.Key}, "--assistant-endpoint", model.URL+"/v1",
		"--assistant-model", "openai:"+model.Model, "--assistant-origins", friend.URL, "--features-analytics", "off",
		"--first-site", "off")
	f.publish("asks.localhost", assistantSite()...)
	docs = f.site("asks.localhost")
	p := tab(t)
	run(p, chromedp.EmulateViewport(1280, 800))
	p.navigate(docs + "/guides/billing")
	p.click("[data-assistant]")
	p.askAndWait("How do I roll back?")
	p.expectEqual("the answer", eval[string](p, lastAnswer+`.querySelector(".ask-answer p").textContent`),
		"A deployment that went wrong is rolled back with one command 1 :")
	p.markDocument()
	p.click(`.ask-answer a.ask-cite`)
	p.waitForHeading("Deployment")
	p.expectSameDocument(true)
	p.waitFor(`location.hash === "#roll-back"`)
	p.click(`.ask-row button[aria-label="Not helpful"]`)
	p.waitFor(`document.querySelector(".ask-thanks").textContent === "Thank you."`)
	eval[bool](p, `(document.querySelector(".ask-field").focus({ preventScroll: true }), true)`)
	p.askAndWait("What does a deployment cost?")
	p.askAndWait("Roll back a deployment?")
	p.expectEqual("what is left of a hostile answer",
		eval[string](p, lastAnswer+
			`.querySelector(".ask-answer").textContent.includes("Roll back with one command") + " " + document.querySelectorAll(".ask-panel :is(img, script)").length + " " + (window.owned ?? 0)`), "true 0 0")
	p.expectEqual("where it leads",
		eval[string](p,
			`String([...document.querySelectorAll(".ask-panel a")].every((a) => a.href.startsWith(location.origin + "/guides/")))`), "true")
	p.checkConsole()

	p.navigate(friend.URL)
	p.waitFor(`window.how === "closed" && window.inside.querySelector(".ask-bubble span").textContent === "Help"`)
	eval[bool](p, `(LecternAssistant.update({ title: "Docs" }), LecternAssistant.ask("How do I roll back?"), true)`)
	p.waitFor(`window.inside.querySelector(".ask-answer pre code")?.textContent === "lectern rollback"`)
	p.waitFor(`window.inside.querySelector("a.ask-cite")?.href === "` + docs +
		`/guides/deploy#roll-back" && window.inside.querySelector("a.ask-cite").target === "_blank"`)
	p.expectEqual("its look", eval[string](p,
		`(() => { const box = window.inside.querySelector(".ask-window"); return [getComputedStyle(box).position, box.querySelector("h2").textContent, getComputedStyle(window.inside.querySelector(".ask-bubble")).backgroundColor].join() })()`), "fixed,Docs,rgb(15, 118, 110)")
	p.screenshot("ask-widget")
	eval[bool](p, `(LecternAssistant.destroy(), true)`)
	p.expectEqual("after its end", eval[string](p, `String(document.querySelectorAll("lectern-assistant").length)`), "0")
	p.checkConsole()

	p.navigate(stranger.URL)
	eval[bool](p, `(LecternAssistant.ask("How do I roll back?"), true)`)
	p.waitFor(`/cannot be reached/.test(window.inside.querySelector(".ask-error")?.textContent)`)
	if n := len(model.Asks()); n != 4 {
		t.Errorf("the model was asked %d times", n)
	}
}
