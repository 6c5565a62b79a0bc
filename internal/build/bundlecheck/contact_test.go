package bundlecheck

import (
	"fmt"
	"strings"
	"testing"
)

// B8: every address on another host that a page would contact is listed with its position, its purpose and the event
// that triggers the request.
func TestEveryContactIsListedWithPageAndReason(t *testing.T) {
	for name, c := range map[string]struct {
		change func(tree)
		want   string
	}{
		"script": {at(`<script src="https://x.test/a.js"></script>`),
			"index.html:4:14 https://x.test/a.js x.test script load"},
		"style sheet": {at(`<link rel=stylesheet href="https://x.test/a">`),
			"index.html:4:28 https://x.test/a x.test style load"},
		"picture": {at(`<img src="//x.test/a">`), "index.html:4:11 //x.test/a x.test image load"},
		"frame": {at(`<iframe src="https://x.test/"></iframe>`),
			"index.html:4:14 https://x.test/ x.test frame load"},
		"recording": {at(`<video src="https://x.test/v"></video>`),
			"index.html:4:13 https://x.test/v x.test media load"},
		"font": {at(`<style>@font-face { src: url(https://x.test/f.woff2?v=1) }</style>`),
			"index.html:4:26 https://x.test/f.woff2?v=1 x.test font load"},
		"style's file": {at(`<p style="background: url(https://x.test/p.png)">`),
			"index.html:4:23 https://x.test/p.png x.test image load"},
		"preconnect": {at(`<link rel=preconnect href="https://x.test">`),
			"index.html:4:28 https://x.test x.test preconnect load"},
		"name look-up": {at(`<link rel=dns-prefetch href="//x.test">`),
			"index.html:4:30 //x.test x.test preconnect load"},
		"form": {at(`<form action="https://x.test/send"></form>`),
			"index.html:4:15 https://x.test/send x.test form action"},
		"form after a link": {at(`<a href="https://x.test/f">x</a><form action="https://x.test/f"></form>`),
			"index.html:4:47 https://x.test/f x.test form action"},
		"page that sends readers on": {at(`<meta http-equiv=refresh content="0; url=https://x.test/new">`),
			"index.html:4:42 https://x.test/new x.test redirect load"},
		"page that sends readers on, after a link": {
			at(`<a href="https://x.test/">x</a><meta http-equiv=refresh content="0; url=//x.test/">`),
			"index.html:4:73 //x.test/ x.test redirect load"},
		"redirect page": {at(`<script src="_lectern/a.js" data-to="https://x.test/new"></script>`),
			"index.html:4:38 https://x.test/new x.test redirect load"},
		"redirect page to the bundle": {at(`<script src="_lectern/a.js" data-to="guides/start.html"></script>`), ""},
		"form without a scheme": {at(`<form action="//x.test/send"></form>`),
			"index.html:4:15 //x.test/send x.test form action"},
		"ping": {at(`<a href="index.html" ping="https://x.test/">`),
			"index.html:4:28 https://x.test/ x.test ping action"},
		"counted visits": {at(`<main data-count="https://x.test/_lectern/api/event"></main>`),
			"index.html:4:19 https://x.test/_lectern/api/event x.test fetch load"},
		"what readers say": {at(`<main data-feedback="https://x.test/_lectern/api/feedback"></main>`),
			"index.html:4:22 https://x.test/_lectern/api/feedback x.test fetch load"},
		"playground": {
			at(
				`<script type="application/json" data-try-plan>{"servers":[{"url":"https://api.test/v1"},{"url":"/v2"}]}</script>`),
			"index.html:4:47 https://api.test/v1 api.test api action"},
		"import": {put("_lectern/a.js", `import "https://x.test/m.js"`),
			"_lectern/a.js:1:9 https://x.test/m.js x.test script load"},
		"picture opened by itself": {put("images/d.svg",
			`<svg xmlns="http://www.w3.org/2000/svg"><image href="https://x.test/a.png"/></svg>`),
			"images/d.svg:1:54 https://x.test/a.png x.test image open"},
		"link":                {at(`<a href="https://x.test/">x</a>`), ""},
		"own server":          {at(`<main data-count="_lectern/api/event"></main>`), ""},
		"canonical address":   {at(`<link rel=canonical href="https://x.test/">`), ""},
		"content in the page": {at(`<img src="data:image/png;base64,AA==">`), ""},
	} {
		bad := goodTree()
		c.change(bad)
		r := check(t, bad.sealed().folder(), Options{})
		var got []string
		for _, x := range r.Contacts {
			got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s %s", x.File, x.Line, x.Column, x.Address, x.Host, x.Reason,
				x.When))
		}
		if text := strings.Join(got, "\n"); text != c.want || r.ContactCount != len(got) {
			t.Errorf("%s: %d contacts\n%s\nwant\n%s", name, r.ContactCount, text, c.want)
		}
		if allowed := check(t, bad.sealed().folder(), Options{AllowHosts: []string{"x.test",
			"api.test"}}); len(allowed.Contacts) != len(got) || len(got) > 0 && !allowed.Contacts[0].Allowed {
			t.Errorf("%s: with the host allowed: %+v", name, allowed.Contacts)
		}
	}
}

// All contacts of a page are counted, even those beyond the length of the list.
func TestContactsBeyondTheLimitAreCounted(t *testing.T) {
	bad := goodTree()
	at(strings.Repeat(`<img src="https://x.test/a.png">`, maxTold+5))(bad)
	if r := check(t, bad.sealed().folder(), Options{}); len(r.Contacts) != maxTold || r.ContactCount != maxTold+5 {
		t.Errorf("%d of %d", len(r.Contacts), r.ContactCount)
	}
}
