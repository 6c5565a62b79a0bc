package browser

import (
	"context"
	"errors"
	"flag"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// chromium is a running browser. Pages are opened in separate contexts, which share no cookies, storage, cache or
// permissions.
type chromium struct {
	ctx  context.Context
	stop context.CancelFunc
}

// theBrowser is shared by all tests. The first test that needs it starts it, and stopTheBrowser stops it after the last
// one.
var (
	theBrowser = sync.OnceValues(func() (*chromium, error) {
		c, err := startChromium(context.Background())
		if err == nil {
			stopTheBrowser = c.stop
		}
		return c, err
	})
	stopTheBrowser = func() {}
)

// browserProgram is the path or name of the browser that tests start.
var browserProgram = flag.String("browser", "",
	"browser to start; by default chromium-headless-shell or, without it, Chromium or Chrome")

// findBrowser prefers the headless shell, the same engine without the user interface, which uses half the processor
// time.
func findBrowser() (chromedp.ExecAllocatorOption, bool) {
	name := *browserProgram
	if name == "" {
		name = "chromium-headless-shell"
		if _, err := exec.LookPath(name); err != nil {
			return nil, false // the driver finds other browsers by name
		}
	}
	return chromedp.ExecPath(name), true
}

// disabledFeatures lists browser features that no page uses but that take up to half of the processor time of short
// tests: the menus of the address bar, which are separate pages in each window, and spare renderer processes. This list
// replaces the driver's, which has the first two entries.
const disabledFeatures = "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup," +
	"SpareRendererForSitePerProcess"

// startChromium starts a browser and returns when it responds. On a busy machine, a browser occasionally crashes during
// startup. That is not what these tests check, so it is restarted.
func startChromium(ctx context.Context, more ...chromedp.ExecAllocatorOption) (c *chromium, err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("disable-features", disabledFeatures),
		chromedp.Flag("accept-lang", "en-US,en")) // the headless shell has no default language
	if program, ok := findBrowser(); ok {
		options = append(options, program)
	}
	for range 3 {
		alloc, free := chromedp.NewExecAllocator(ctx, append(options, more...)...)
		tab, cancel := chromedp.NewContext(alloc)
		c = &chromium{ctx: tab, stop: func() { cancel(); free() }}
		_, failure := chromedp.Run(tab, chromedp.Evaluate[bool]("true"))
		if failure == nil {
			return c, nil
		}
		c.stop() // do not reuse the context of a failed browser: it would start a second one
		err = errors.Join(err, failure)
	}
	return nil, err
}

// ownBrowser starts a browser with flags that apply to all of its pages.
func ownBrowser(t *testing.T, flags ...chromedp.ExecAllocatorOption) *chromium {
	t.Helper()
	c, err := startChromium(t.Context(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.stop)
	return c
}

// tab opens an empty page of the shared browser in a new context.
func tab(t *testing.T, options ...chromedp.CreateBrowserContextOption) *page {
	t.Helper()
	c, err := theBrowser()
	if err != nil {
		t.Fatal(err)
	}
	return c.tab(t, options...)
}

func (c *chromium) tab(t *testing.T, options ...chromedp.CreateBrowserContextOption) *page {
	t.Helper()
	return newPage(t, c.ctx, chromedp.WithNewBrowserContext(options...))
}

// openIsolated opens a page of the same browser that shares nothing with this one, like another person's computer.
func (p *page) openIsolated(t *testing.T) *page {
	t.Helper()
	return newPage(t, p.ctx, chromedp.WithNewBrowserContext())
}

// openTab opens another page in the same context, like a second tab of the same person.
func (p *page) openTab() *page { p.t.Helper(); return newPage(p.t, p.ctx) }

// newPage opens a page that behaves as if it were in the foreground, even when other pages are open.
func newPage(t *testing.T, parent context.Context, options ...chromedp.ContextOption) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx, messages: make(chan chromedp.ConsoleMessage)}
	// the page's events use the context of the first action
	if _, err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	go p.listen(chromedp.Console(ctx))
	return p
}

// withoutNetwork makes a context reach only the test's own servers, on the loopback address: requests to other hosts go
// to a proxy on a port where nothing listens.
func withoutNetwork(c *target.CreateBrowserContextParams) {
	c.ProxyServer, c.ProxyBypassList = "http://127.0.0.1:1", "<-loopback>;127.0.0.1"
}
