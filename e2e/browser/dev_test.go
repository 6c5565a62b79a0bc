package browser

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/devserve"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/source/filewatch"
)

// author edits a site and watches its preview.
type author struct {
	t   *testing.T
	dir string
	url string
}

// startPreview previews a docs folder and watches it for changes. Pairs are file names and texts.
func startPreview(t *testing.T, pairs ...string) *author {
	t.Helper()
	a := &author{t: t, dir: t.TempDir()}
	for i := 0; i < len(pairs); i += 2 {
		a.save(pairs[i], pairs[i+1])
	}
	tools, err := build.NewTools()
	if err != nil {
		t.Fatal(err)
	}
	src := os.DirFS(a.dir)
	live := build.NewLive(src,
		build.Options{Links: link.Clean, Tools: tools, Workers: 2, Offers: capability.Offers{Search: true}})
	server := devserve.New(devserve.Options{Live: live, Source: src, Now: time.Now,
		Say: func(line string) { t.Log(line) }})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	watching := make(chan struct{})
	wg.Go(func() {
		err := filewatch.Run(ctx, filewatch.Options{Dir: a.dir, Ready: func() { close(watching) }},
			func(files []string) {
				if err := server.Changed(ctx, files); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			})
		if err != nil {
			t.Error(err)
		}
	})
	<-watching
	if err := server.Changed(ctx, nil); err != nil {
		t.Fatal(err)
	}
	wg.Go(func() { server.Run(ctx) })
	web := httptest.NewServer(server.Handler())
	a.url = web.URL
	t.Cleanup(func() {
		cancel()
		web.CloseClientConnections()
		web.Close()
		wg.Wait()
		live.Close()
		_ = tools.Close() // it only frees memory
	})
	return a
}

func (a *author) save(name, text string) {
	a.t.Helper()
	full := filepath.Join(a.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

const devSite = `{"name": "Dev site", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index", "long"]}}`

func startPage(text string) string { return "---\ntitle: Long\n---\n\n" + text + "\n" }

// longPage returns a page that is longer than the window.
func longPage(text string) string {
	return startPage(strings.Repeat("Some words in a paragraph.\n\n", 200) + text + "\n\n" +
		strings.Repeat("More words.\n\n", 50))
}

// shadow returns an expression for a part of the overlay.
func shadow(selector string) string {
	return "document.querySelector('lectern-dev')?.shadowRoot.querySelector('" + selector + "')"
}

func TestSavedPageReloadsAtSameScrollPosition(t *testing.T) {
	t.Parallel()
	a := startPreview(t, "docs.json", devSite, "index.mdx", "# Home", "long.mdx", longPage("First version."))
	p := openURL(t, a.url+"/long")
	p.waitFor("document.body.textContent.includes('First version.') && !!document.querySelector('lectern-dev')")
	eval[any](p, "window.sameDocument = true; scrollTo({top: 2000, behavior: 'instant'})")
	p.waitFor("scrollY === 2000")
	a.save("long.mdx", longPage("Second version."))
	p.waitFor("document.body.textContent.includes('Second version.')")
	p.waitFor("scrollY === 2000")
	p.expectEqual("only the content was changed", eval[string](p, "String(window.sameDocument)"), "true")

	// docs.json affects every page.
	a.save("docs.json", strings.Replace(devSite, "Dev site", "Renamed", 1))
	p.waitFor("document.title.includes('Renamed')")
	p.waitFor("scrollY === 2000")

	// Another program writes a page in two steps.
	a.save("long.mdx", "")
	a.save("long.mdx", startPage("Third version."))
	p.waitFor("document.body.textContent.includes('Third version.')")
	p.checkConsole()
}

func TestFindingsCoverPageUntilFixed(t *testing.T) {
	t.Parallel()
	a := startPreview(t, "docs.json", devSite, "index.mdx", "# Home\n\n[gone](/nowhere)\n", "long.mdx",
		startPage("Fine."))
	p := openURL(t, a.url+"/long")
	p.waitFor("document.querySelector('lectern-dev')?.dataset.errors === '0'")
	p.expectEqual("a page without findings", eval[string](p, "String(!!"+shadow(".panel")+")"), "false")

	a.save("long.mdx", startPage("<Card title=\"x\">\n\nopen"))
	p.waitFor("!!" + shadow(".panel .error"))
	text := eval[string](p, shadow(".panel")+".textContent")
	for _, want := range []string{"This page has errors", "long.mdx:5:1", "<Card title=\"x\">", "^"} {
		if !strings.Contains(text, want) {
			t.Errorf("the overlay lacks %q: %s", want, text)
		}
	}
	p.expectEqual("it has its own look", eval[string](p, "getComputedStyle("+shadow(".panel")+").position"), "fixed")
	a.save("long.mdx", startPage("Mended."))
	p.waitFor("document.body.textContent.includes('Mended.') && !" + shadow(".panel"))

	// Warnings appear as a badge that opens and closes.
	p = openURL(t, a.url+"/")
	p.waitFor("!!" + shadow(".badge.warning"))
	eval[any](p, shadow(".badge")+".click()")
	p.waitFor(shadow(".panel") + "?.textContent.includes('index.mdx:3:')")
	p.key("\x1b")
	p.waitFor("!!" + shadow(".badge") + " && !" + shadow(".panel"))
	eval[any](p, shadow(".bar .close")+".click()")
	p.waitFor("!" + shadow(".badge"))

	// An invalid docs.json leaves the site unchanged, and the error is shown.
	a.save("docs.json", "{")
	p.waitFor(shadow(".panel") + "?.textContent.includes('docs.json:1:')")
	p.expectEqual("the last good state", eval[string](p, "document.querySelector('h1').textContent.trim()"), "Home")
	a.save("docs.json", devSite)
	p.waitFor("!" + shadow(".panel") + " && document.title.includes('Dev site')")
	p.checkConsole()
}
