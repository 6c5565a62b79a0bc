package main

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/conformance/corpus/pagemeasure"
)

const (
	lookPages = 12              // of each site
	lookLimit = 2.5             // contrast below which a text counts as unreadable
	lookTime  = 3 * time.Minute // for one site: the browser may hang
)

// look is what a browser sees on pages of a site: how many selectors of the author's style sheets meet an element on
// any of them, and how many texts cannot be read.
type look struct{ selectors, met, texts, unreadable int }

// looker opens pages of built sites; browser "" looks at nothing.
type looker struct {
	ctx  context.Context
	stop func()
}

func newLooker(browser string) *looker {
	if browser == "" {
		return nil
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(browser),
		chromedp.NoSandbox, chromedp.Flag("allow-file-access-from-files", true))
	alloc, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	return &looker{ctx: ctx, stop: func() { cancel(); free() }}
}

// site looks at pages of the site in a folder, light and dark, on a wide and a narrow screen.
func (l *looker) site(dir string) (sum look, misses []string, err error) {
	if l == nil {
		return sum, nil, nil
	}
	pages, err := samplePages(dir)
	if err != nil {
		return sum, nil, err
	}
	if _, err := chromedp.Run(l.ctx, chromedp.Evaluate[bool]("true")); err != nil { // the browser outlives the tab
		return sum, nil, fmt.Errorf("start the browser: %w", err)
	}
	tab, closeTab := chromedp.NewContext(l.ctx)
	defer closeTab()
	tab, cancel := context.WithTimeout(tab, lookTime)
	defer cancel()
	met := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1440, 390} {
			for _, page := range pages {
				seen, err := view(tab, page, scheme, width)
				if err != nil {
					return sum, nil, fmt.Errorf("look at %s: %w", page, err)
				}
				for selector, hit := range seen.Selectors {
					met[selector] = met[selector] || hit
				}
				sum.texts, sum.unreadable = sum.texts+seen.Texts, sum.unreadable+len(seen.Faint)
			}
		}
	}
	for selector, hit := range met {
		sum.selectors++
		if hit {
			sum.met++
		} else {
			misses = append(misses, selector)
		}
	}
	slices.Sort(misses)
	return sum, misses, nil
}

// view opens a page in a colour scheme and looks at it when its typefaces are there.
func view(tab context.Context, page, scheme string, width int64) (seen pagemeasure.Page, err error) {
	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, media); err != nil {
		return seen, err
	}
	if _, err := chromedp.Run(tab, chromedp.EmulateViewport(width, 900)); err != nil {
		return seen, err
	}
	if _, err := chromedp.Run(tab, chromedp.Navigate((&url.URL{Scheme: "file", Path: page}).String())); err != nil {
		return seen, err
	}
	const ready = `document.fonts.ready.then(() => true)`
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](ready, chromedp.EvalAwaitPromise)); err != nil {
		return seen, err
	}
	return chromedp.Run(tab, chromedp.Evaluate[pagemeasure.Page](pagemeasure.Expression(lookLimit)))
}

// samplePages are the first page and others at equal distances, as absolute paths.
func samplePages(dir string) (out []string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var all []string
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "_lectern" {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".html") && path != "404.html" {
			all = append(all, path)
		}
		return err
	})
	for i := range min(lookPages, len(all)) {
		out = append(out, filepath.Join(dir, all[i*len(all)/min(lookPages, len(all))]))
	}
	if first := filepath.Join(dir, "index.html"); slices.Contains(all, "index.html") && !slices.Contains(out, first) {
		out = append(out, first)
	}
	return out, err
}
