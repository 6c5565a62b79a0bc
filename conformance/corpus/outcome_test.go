package main

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
)

func TestSelectorNeedsAreExtracted(t *testing.T) {
	for selector, want := range map[string]string{
		`#navbar > .x.y a`:                                     `#navbar .x .y <a`,
		`.dark\:p-1:is(.dark *)`:                               `.dark:p-1 .dark`,
		`a:not(.b):has(> svg):nth-child(2n+1)`:                 `<a <svg`,
		`:is(.a, .b) .c`:                                       `.c`,
		`:is(callout, :where(.callout)) p`:                     `.callout <p`,
		`.x:is([data-as="p"], :where(p)) code`:                 `.x <p <code`,
		`[class*="foot er"]:not(:where(.x)) a[href^="/b"]`:     `.*=foot er <a [href^=/b`,
		`[data-a="b"][hidden] [class="c"]`:                     `[data-a=b [hidden [class=c`,
		`:is(h2, :where(*))[data-component-part="card-title"]`: `[data-component-part=card-title`,
	} {
		got := ""
		for i, n := range needsOf(selector) {
			if i > 0 {
				got += " "
			}
			got += string(n.kind) + n.name + n.op + n.value
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", selector, got, want)
		}
	}
}

func TestUnmatchedSelectorsAreClassifiedByCause(t *testing.T) {
	author := fstest.MapFS{
		"a.mdx":    {Data: []byte(`The number <div className={x ? "hero" : "hero-off"} id="top" data-kind="b">`)},
		"x.jsx":    {Data: []byte(`el.classList.toggle("is-copied")`)},
		"own.css":  {Data: []byte(`.only-here {}`)},
		"code.mdx": {Data: []byte("[more](https://x.example/more)\n```jsx\n<p className=\"shown\">\n```\n")},
	}
	pages := parts{paths: []string{"index.html"}, pages: map[string][]int{}}
	pages.read([]byte(`<p class="hero">a</p><h2 id="one"><code>b</code></h2><button data-search></button><a href="/">c</a>`))
	c, err := newClassifier(author, pages)
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]outcome{
		`.only-here`:                        dead,   // occurs only in a style sheet, which does not count
		`.shown`:                            dead,   // code that is shown is not part of a page
		`.number`:                           dead,   // a word in the text is not a class
		`h5`:                                unused, // an element that no page has
		`.frame img`:                        unused, // a component that no page has
		`[data-sidebar] .hero`:              dead,   // an attribute that nothing sets
		`a[href*="y.example"]`:              dead,   // an address that no file contains
		`.hero a[href*="x.example"]`:        missed,
		`.hero button.px-2`:                 utility, // inside markup of another product
		`[class*="lg:pl-["] .hero`:          utility,
		`.px-2 .only-here`:                  dead,
		`.hero button`:                      missed, // both exist, but not inside each other
		`.hero-off`:                         missed,
		`.hero.is-copied`:                   later,
		`#top[data-kind="b"]`:               missed,
		`.dark #sidebar button`:             unused,
		`.contextual-feedback-form`:         missed, // documented, but not on our pages
		`[data-component-part="tabs-list"]`: unused,
		`h2 p`:                              missed,
	} {
		if got := c.classify(selector); got != want {
			t.Errorf("%s: got %s, want %s", selector, got, want)
		}
	}
	for selector, want := range map[string]bool{
		`.dark .prose h2 > p`: true, `.callout h4`: true, `.hero h1`: true, `.card h2`: false, `.hero button`: false,
	} {
		if got := c.ownText(selector); got != want {
			t.Errorf("%s: ownText is %v", selector, got)
		}
	}
}

func TestPagesAreFoundByContent(t *testing.T) {
	p := parts{pages: map[string][]int{}}
	for i, html := range []string{
		`<div class="a b"><h2>`, `<div class="a" data-x="one"><p>`, `<i data-x="two" class="b">`,
	} {
		p.paths = append(p.paths, fmt.Sprint(i))
		p.read([]byte(html))
	}
	for selector, want := range map[string][]int{
		`.a`: {0, 1}, `.a h2`: {0}, `[data-x]`: {1, 2}, `[data-x^="t"]`: {2}, `[data-x="one"]`: {1}, `[class*="b"]`: {0, 2},
		`.a .set-by-a-script`: {0, 1}, `.a[data-x="two"]`: nil,
	} {
		if got := p.withAll(needsOf(selector)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", selector, got, want)
		}
	}
}
