//go:build nightly

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Without a model, the server quotes passages, says so, and contacts no other host.
func TestServerAssistantWithoutModelQuotesPassages(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil, "--features-assistant", "local", "--deployment-type", "air-gapped", "--features-analytics",
		"off")
	f.publish("asks.localhost", assistantSite()...)
	p := tab(t)
	run(p, chromedp.EmulateViewport(1280, 800))
	p.navigate(f.site("asks.localhost") + "/?assistant=" +
		strings.ReplaceAll("How is a wrong deployment rolled back?", " ", "%20"))
	p.waitFor(`document.querySelector(".ask-panel .ask-field")?.value.startsWith("How is")`)
	p.key(kb.Enter)
	p.waitFor(answered)
	p.waitFor(lastAnswer + `.querySelector('.ask-sources a[href$="/guides/deploy#roll-back"]') !== null && ` +
		lastAnswer + `.textContent.includes("rolled back with one command")`)
	p.waitFor(`document.querySelector(".ask-care").textContent === "Passages from these docs, without a language model."`)
	p.screenshot("ask-local")
	p.expectOwnHostOnly("the page", "")
	p.checkConsole()
}
