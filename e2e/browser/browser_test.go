package browser

import (
	"context"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// site builds a docs folder into a temporary folder. Pairs are file names and texts.
func site(t *testing.T, pairs ...string) string {
	t.Helper()
	docs := fstest.MapFS{"docs.json": {Data: []byte(
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index"]}}`)}}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	report, err := build.Build(t.Context(), docs,
		build.Options{Links: link.Relative, Offers: capability.Offers{Search: true}}, output.NewDir(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnostics {
		t.Logf("built with %s", d)
	}
	return dir
}

// page is one browser tab.
type page struct {
	t        *testing.T
	ctx      context.Context
	messages chan chromedp.ConsoleMessage // console messages of the page
	looks    int                          // how often checkLook was called
}

// open opens a file of a built site.
func open(t *testing.T, dir, file string) *page {
	t.Helper()
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, file))}
	return openURL(t, address.String())
}

// reader describes the device and settings with which a page is opened.
type reader struct {
	phone bool
	calm  bool // prefers reduced motion
}

// openURL opens a page in a window of desktop size.
func openURL(t *testing.T, address string) *page { t.Helper(); return openAs(t, address, reader{}) }

func openAs(t *testing.T, address string, who reader) *page {
	t.Helper()
	p := tab(t)
	if who.calm {
		calm := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
			Value: "reduce"}}}
		if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, calm); err != nil {
			t.Fatal(err)
		}
	}
	if who.phone {
		run(p, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile,
			chromedp.EmulateTouch))
	} else {
		run(p, chromedp.EmulateViewport(1280, 800))
	}
	run(p, chromedp.Navigate(address))
	return p
}

// listen forwards the console messages of the page. The browser's driver buffers unread messages.
func (p *page) listen(console iter.Seq2[chromedp.ConsoleMessage, error]) {
	defer close(p.messages)
	for m, err := range console {
		if err != nil {
			return
		}
		select {
		case p.messages <- m:
		case <-p.ctx.Done():
			return
		}
	}
}

// checkConsole fails the test when the page logged an error to the console or threw an uncaught one.
func (p *page) checkConsole() { p.t.Helper(); p.checkConsoleExcept() }

// checkConsoleExcept is like checkConsole, but ignores messages that start with one of the texts.
func (p *page) checkConsoleExcept(known ...string) {
	p.t.Helper()
	for _, m := range p.consoleErrors() {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(m.Text, k) }) {
			p.t.Errorf("the page logged an error: %s (%s)", m, m.URL)
		}
	}
}

// consoleErrors lists the errors that the page logged, or threw without catching them, since the last call. It includes
// failed requests.
func (p *page) consoleErrors() (out []chromedp.ConsoleMessage) {
	p.t.Helper()
	const end = "all messages up to here"
	eval[chromedp.Void](p, "console.debug('"+end+"')")
	for m := range p.messages {
		if m.Text == end {
			return out
		}
		if m.Type == chromedp.ConsoleError || m.IsException() {
			out = append(out, m)
		}
	}
	p.t.Error("the console messages ended")
	return out
}

// run performs an action in the page. It ends the test if the action takes more than a minute, such as a click on a
// missing element.
func run[T any](p *page, a chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// eval returns the value of an expression in the page.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	return run(p, chromedp.Evaluate[T](expression))
}

// The pause between two checks of a condition grows from lookSoon to lookLate, because slow operations such as builds
// share the processors with the tests that wait for them.
const (
	lookSoon = 10 * time.Millisecond
	lookLate = 200 * time.Millisecond
)

// waitFor waits until an expression is true in the tab's current document. The browser evaluates it from outside the
// page, so that it also works where pages may not run scripts.
func (p *page) waitFor(expression string) {
	p.t.Helper()
	deadline := time.After(waitLimit)
	for pause := lookSoon; ; pause = min(pause*3/2, lookLate) {
		ok, err := p.isTrue(expression)
		if ok {
			return
		}
		if p.ctx.Err() != nil {
			p.t.Fatalf("waiting for %s: %v", expression, p.ctx.Err())
		}
		select {
		case <-deadline:
			text, gone := chromedp.Run(p.ctx,
				chromedp.Evaluate[string](
					`location.href + '\n' + (document.querySelector('main') ?? document.body).innerText`))
			p.t.Fatalf("waiting for %s: %v %v\n%.3000s", expression, err, gone, text)
		case <-time.After(pause):
		}
	}
}

// isTrue reports whether an expression is true now; one that throws is not. An evaluation whose document is unloaded
// may never return, so its time limit is short.
func (p *page) isTrue(expression string) (bool, error) {
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Second)
	defer cancel()
	return chromedp.Run(ctx,
		chromedp.Evaluate[bool](`(() => { try { return Boolean(`+expression+`) } catch { return false } })()`))
}

// key presses keys, one after the other.
func (p *page) key(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	run(p, chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// click clicks an element. It retries if the element does not exist, for example because a live page is replacing it.
func (p *page) click(selector string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "Could not find node") {
			p.t.Fatalf("click %s: %v", selector, err)
		}
	}
}

// expectEqual fails the test when two texts differ.
func (p *page) expectEqual(what, got, want string) {
	p.t.Helper()
	if got != want {
		p.t.Errorf("%s\n got %q\nwant %q", what, got, want)
	}
}
