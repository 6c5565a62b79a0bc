package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// matches opens a page in light and dark mode and lists the selectors that match something.
func matches(tab context.Context, page string, misses []miss) (out []string, err error) {
	var list []string
	for _, v := range misses {
		list = append(list, v.selector)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	if err := open(tab, page); err != nil {
		return nil, err
	}
	script := fmt.Sprintf("(%s).filter((s) => document.querySelector(s) !== null)", text)
	for _, v := range []view{{"light", 1440}, {"dark", 1440}} {
		if err := v.emulate(tab); err != nil {
			return nil, err
		}
		hits, err := chromedp.Run(tab, chromedp.Evaluate[[]string](script))
		if err != nil {
			return nil, err
		}
		out = append(out, hits...)
	}
	return out, nil
}

// open opens a page on a wide screen, and returns when its typefaces are loaded and its first diagram is drawn.
func open(tab context.Context, page string) error {
	if err := (view{"light", 1440}).emulate(tab); err != nil {
		return err
	}
	if _, err := chromedp.Run(tab, chromedp.Navigate((&url.URL{Scheme: "file", Path: page}).String())); err != nil {
		return err
	}
	const ready = `document.fonts.ready.then(() => new Promise((done) => {
		const diagram = document.querySelector("figure.mermaid");
		if (!diagram) return done(true);
		new MutationObserver(() => done(true)).observe(diagram, { attributes: true, attributeFilter: ["data-state"] });
		if (diagram.dataset.state !== undefined) return done(true);
		setTimeout(() => done(true), 5000);
		diagram.scrollIntoView();
	}))`
	_, err := chromedp.Run(tab, chromedp.Evaluate[bool](ready, chromedp.EvalAwaitPromise))
	return err
}

// view is a colour scheme and the width of the window in CSS pixels.
type view struct {
	scheme string
	width  int64
}

// emulate changes the view and returns after a frame has been drawn with it.
func (v view) emulate(tab context.Context) error {
	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}}}
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, media); err != nil {
		return err
	}
	if _, err := chromedp.Run(tab, chromedp.EmulateViewport(v.width, 900)); err != nil {
		return err
	}
	// listeners of media queries run before a frame is drawn, but a busy page may first draw an older frame
	const drawn = `new Promise((done) => {
		const ready = () => matchMedia("(prefers-color-scheme: %s)").matches;
		const frame = (left) => requestAnimationFrame(() => left > 0 || !ready() ? frame(ready() ? left - 1 : 2) : done(true));
		frame(2);
	})`
	script := fmt.Sprintf(drawn, v.scheme)
	_, err := chromedp.Run(tab, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
	return err
}
