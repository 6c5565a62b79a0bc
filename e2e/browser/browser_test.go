package browser

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/sitebuild"
)

// site builds a docs folder into a temporary folder. Pairs are file names and texts.
func site(t *testing.T, pairs ...string) string {
	t.Helper()
	docs := fstest.MapFS{"docs.json": {Data: []byte(`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index"]}}`)}}
	for i := 0; i < len(pairs); i += 2 {
		docs[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	report, err := sitebuild.Build(t.Context(), docs, sitebuild.Options{Links: link.Relative}, outtree.NewDir(root))
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
	messages chan chromedp.ConsoleMessage // what the page writes to the console
}

// open shows a file of a built site.
func open(t *testing.T, dir, file string) *page {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)
	alloc, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx, messages: make(chan chromedp.ConsoleMessage, 1000)}
	console := chromedp.Console(ctx)
	go func() {
		defer close(p.messages)
		for m, err := range console {
			if err != nil {
				return
			}
			p.messages <- m
		}
	}()
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, file))}
	run(p, chromedp.Navigate(address.String()))
	return p
}

// quiet fails the test when the page wrote an error to the console or threw one that nobody caught.
func (p *page) quiet() {
	p.t.Helper()
	const end = "all messages up to here"
	eval[chromedp.Void](p, "console.debug('"+end+"')")
	for m := range p.messages {
		if m.Text == end {
			return
		}
		if m.Type == chromedp.ConsoleError || m.IsException() {
			p.t.Errorf("the page complains: %s", m)
		}
	}
	p.t.Error("the console ended")
}

func run[T any](p *page, a chromedp.Action[T]) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, a)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// eval is the value of an expression in the page.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	return run(p, chromedp.Evaluate[T](expression))
}

// until waits for an expression to be true.
func (p *page) until(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(15*time.Second))); err != nil {
		p.t.Fatalf("waiting for %s: %v\n%s", expression, err, eval[string](p, "document.querySelector('article')?.innerHTML ?? document.body.innerHTML"))
	}
}

func (p *page) click(selector string) {
	p.t.Helper()
	run(p, chromedp.Click(chromedp.CSS(selector)))
}

// same compares two texts.
func (p *page) same(what, got, want string) {
	p.t.Helper()
	if got != want {
		p.t.Errorf("%s\n got %q\nwant %q", what, got, want)
	}
}
