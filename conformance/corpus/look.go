package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/conformance/corpus/pagemeasure"
)

const (
	lookPages  = 12              // pages opened on each site for all measurements
	morePages  = 40              // additional pages opened on each site for selectors without a match
	morePerOne = 3               // of morePages, for each such selector
	lookLimit  = 2.5             // contrast below which a text counts as unreadable
	lookTime   = 6 * time.Minute // for one site: the browser may hang
)

// look is the result of measuring a site's pages in a browser: the outcomes of the selectors in the author's style
// sheets, and the number of texts and of unreadable ones.
type look struct {
	outcomes          map[outcome]int
	texts, unreadable int
}

// miss is a selector that matches nothing, with its outcome.
type miss struct {
	outcome  outcome
	selector string
}

// looker measures pages of built sites in a browser; a nil looker measures nothing.
type looker struct {
	ctx  context.Context
	stop func()
}

func newLooker(browser string) *looker {
	if browser == "" {
		return nil
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(browser),
		chromedp.NoSandbox, chromedp.Flag("allow-file-access-from-files", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND")) // neither measure nor wait for content of other hosts
	alloc, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	return &looker{ctx: ctx, stop: func() { cancel(); free() }}
}

// site measures pages of the site that was built from root into dir, in light and dark mode, on a wide and a narrow
// screen. It opens more pages for selectors that match nothing on these. lines lists the selectors without a match and
// the unreadable texts.
func (l *looker) site(root, dir string) (sum look, lines []string, err error) {
	if l == nil {
		return sum, nil, nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return sum, nil, err
	}
	pages, err := readParts(dir)
	if err != nil {
		return sum, nil, err
	}
	if _, err := chromedp.Run(l.ctx, chromedp.Evaluate[bool]("true")); err != nil { // so that the browser outlives the tab
		return sum, nil, fmt.Errorf("start the browser: %w", err)
	}
	tab, closeTab := chromedp.NewContext(l.ctx)
	defer closeTab()
	tab, cancel := context.WithTimeout(tab, lookTime)
	defer cancel()
	sample := samplePages(pages.paths)
	selectors, lines, err := measure(tab, dir, sample, &sum)
	if err != nil || len(selectors) == 0 {
		return sum, lines, err
	}
	author, err := newClassifier(os.DirFS(root), pages)
	if err != nil {
		return sum, nil, fmt.Errorf("read the author's files: %w", err)
	}
	sum.outcomes = map[outcome]int{}
	var misses []miss
	for _, selector := range slices.Sorted(maps.Keys(selectors)) {
		if selectors[selector] {
			sum.outcomes[met]++
		} else {
			misses = append(misses, miss{author.classify(selector), selector})
		}
	}
	found, err := seek(tab, pages, sample, misses)
	misses = slices.DeleteFunc(misses, func(v miss) bool { return found[v.selector] })
	sum.outcomes[met] += len(found)
	for _, v := range misses {
		if v.outcome == missed && author.ownText(v.selector) {
			v.outcome = unused
		}
		sum.outcomes[v.outcome]++
		lines = append(lines, fmt.Sprintf("%s: %s", v.outcome, v.selector))
	}
	return sum, lines, err
}

// measure adds the measurements of pages to sum. It reports for each selector in the author's style sheets whether it
// matches on a page, and returns a line for each unreadable text.
func measure(tab context.Context, dir string, pages []string, sum *look) (map[string]bool, []string, error) {
	selectors, lines := map[string]bool{}, []string(nil)
	for _, page := range pages {
		if err := open(tab, filepath.Join(dir, page)); err != nil {
			return nil, nil, fmt.Errorf("look at %s: %w", page, err)
		}
		for _, v := range []view{{"light", 1440}, {"dark", 1440}, {"dark", 390}, {"light", 390}} {
			if err := v.emulate(tab); err != nil {
				return nil, nil, fmt.Errorf("look at %s: %w", page, err)
			}
			seen, err := chromedp.Run(tab, chromedp.Evaluate[pagemeasure.Page](pagemeasure.Expression(lookLimit)))
			if err != nil {
				return nil, nil, fmt.Errorf("look at %s: %w", page, err)
			}
			for selector, hit := range seen.Selectors {
				selectors[selector] = selectors[selector] || hit
			}
			sum.texts, sum.unreadable = sum.texts+seen.Texts, sum.unreadable+len(seen.Faint)
			for _, f := range seen.Faint {
				lines = append(lines, fmt.Sprintf("unreadable: %s, %s, %d px: %s %q has %.2f:1", page, v.scheme, v.width,
					f.Element, f.Text, f.Ratio))
			}
		}
	}
	return selectors, lines, nil
}

// seek opens more pages that meet the selectors' needs, and returns the selectors that match there.
func seek(tab context.Context, pages parts, opened []string, misses []miss) (map[string]bool, error) {
	found, more := map[string]bool{}, 0
	opened = slices.Clone(opened)
	for _, v := range misses {
		tries := 0
		for _, page := range pages.withAll(needsOf(v.selector)) {
			if v.outcome != missed || found[v.selector] || tries == morePerOne || more == morePages {
				break
			}
			path := pages.paths[page]
			if slices.Contains(opened, path) {
				continue
			}
			opened, tries, more = append(opened, path), tries+1, more+1
			hits, err := matches(tab, filepath.Join(pages.dir, path), misses)
			if err != nil {
				return nil, fmt.Errorf("look at %s: %w", path, err)
			}
			for _, hit := range hits {
				found[hit] = true
			}
		}
	}
	return found, nil
}

// samplePages returns the first page and others at equal distances.
func samplePages(all []string) (out []string) {
	for i := range min(lookPages, len(all)) {
		out = append(out, all[i*len(all)/min(lookPages, len(all))])
	}
	if slices.Contains(all, "index.html") && !slices.Contains(out, "index.html") {
		out = append(out, "index.html")
	}
	return out
}
