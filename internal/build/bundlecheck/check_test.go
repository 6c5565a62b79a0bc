package bundlecheck

import (
	"crypto/ed25519"
	"encoding/base64"
	"reflect"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// B7, B8, B9: a valid bundle passes in every format, with the same report.
func TestValidBundlePassesInEveryFormat(t *testing.T) {
	good := goodTree().sealed()
	var first *Report
	for name, src := range map[string]Source{"tar.gz": archive(good.tarGz(t)), "zip": archive(good.zip(t)),
		"folder": good.folder()} {
		for _, workers := range []int{1, 4} {
			r := check(t, src, Options{Version: "v1", Workers: workers})
			if !r.OK || len(r.Findings) > 0 {
				t.Errorf("%s: %v", name, r.Findings)
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(first, r) {
				t.Errorf("%s with %d workers reports %+v, not %+v", name, workers, r, first)
			}
		}
	}
	if first.Files != 13 || first.Pages != 4 || first.Links != 9 || first.Anchors != 4 || first.Assets != 10 ||
		first.Version != "v1" ||
		len(first.Hosts) != 1 || first.Hosts[0] != "reader.test" || first.Signature != Unsigned {
		t.Errorf("report %+v", first)
	}
}

// at inserts html into the body of index.html, at the start of line 4.
func at(html string) func(tree) {
	return func(t tree) { t["index.html"] = page("", html) }
}

func put(path, data string) func(tree) { return func(t tree) { t[path] = data } }

// B8, B9: each mutation of a valid bundle is reported with its code and position.
func TestInvalidReferencesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(tree)
		want   string // positions and codes of all findings
	}{
		"foreign script": {at(`<script src="https://x.test/a.js"></script>`),
			"index.html:4:14 foreign-load"},
		"foreign picture": {at(`<p>é</p> <img alt=a src='http://x.test/a.png'>`),
			"index.html:4:26 foreign-load"},
		"protocol-relative picture": {at(`<img src=//x.test/a.png>`), "index.html:4:10 foreign-load"},
		"backslashes":               {at(`<img src="\\x.test\a.png">`), "index.html:4:11 foreign-load"},
		"a tab in the scheme":       {at("<img src=\"ht\ttps://x.test/a.png\">"), "index.html:4:11 foreign-load"},
		"entities":                  {at(`<img src="&#104;ttps://x.test/a.png">`), "index.html:4:11 foreign-load"},
		"second of a srcset": {at(`<img srcset="images/c.png 1x, https://x.test/a.png 2x">`),
			"index.html:4:31 foreign-load"},
		"srcset of a source": {at(`<picture><source srcset="//x.test/a.png,images/c.png"></picture>`),
			"index.html:4:26 foreign-load"},
		"comma in a srcset address": {at(`<img srcset="https://x.test/a,b.png, images/c.png">`),
			"index.html:4:14 foreign-load"},
		"frame": {at(`<iframe src="https://x.test/"></iframe>`), "index.html:4:14 foreign-load"},
		"document in an attribute": {at(`<iframe srcdoc="<img src=https://x.test/a>"></iframe>`),
			"index.html:4:17 foreign-load"},
		"poster and video": {at(`<video poster="//x.test/p" src="//x.test/v">`),
			"index.html:4:16 foreign-load; index.html:4:33 foreign-load"},
		"object": {at(`<object data="//x.test/p"></object>`), "index.html:4:15 foreign-load"},
		"use of SVG": {at(`<svg><use xlink:href="https://x.test/a.svg#b"/></svg>`),
			"index.html:4:23 foreign-load"},
		"animated address": {
			at(`<svg><image><set attributeName="href" to="https://x.test/"/></image></svg>`),
			"index.html:4:43 foreign-load"},
		"paint of SVG": {at(`<svg><path fill="url(https://x.test/a.svg#b)"/></svg>`),
			"index.html:4:18 foreign-load"},
		"style attribute": {at(`<p style="a:b;background:url('https://x.test/a.png')">`),
			"index.html:4:30 foreign-load"},
		"style element": {at("<style>\n@import 'https://x.test/a.css';</style>"),
			"index.html:5:9 foreign-load"},
		"preconnect": {at(`<link rel=preconnect href=https://x.test>`),
			"index.html:4:27 foreign-load"},
		"preload": {at(`<link rel="preload" as="font" href="https://x.test/f">`),
			"index.html:4:37 foreign-load"},
		"icon": {at(`<link rel="shortcut icon" href="https://x.test/f">`),
			"index.html:4:33 foreign-load"},
		"ping": {at(`<a href="index.html" ping="https://x.test/">`),
			"index.html:4:28 foreign-load"},
		"foreign base": {at(`<base href="https://x.test/"><img src="images/c.png">`),
			"index.html:4:13 foreign-load"},
		"picture in a template": {at(`<template><img src="https://x.test/"></template>`),
			"index.html:4:21 foreign-load"},
		"picture without scripts": {at(`<noscript><img src="https://x.test/"></noscript>`),
			"index.html:4:21 foreign-load"},
		"picture hidden by noscript": {at(`<noscript><!-- </noscript><img src="https://x.test/"> --></noscript>`),
			"index.html:4:37 foreign-load"},
		"picture in a style of SVG": {at(`<svg><style><img src="https://x.test/"></style></svg>`),
			"index.html:4:23 foreign-load"},
		"picture in a title in SVG": {at(`<svg><style><title><img src="https://x.test/"></title></style></svg>`),
			"index.html:4:30 foreign-load"},
		"nested beyond measure": {at(`<svg>` + strings.Repeat("<style>", 9) + `<img src="https://x.test/">`),
			"index.html:4:41 inline-script"},
		"picture in a comment": {
			at(`<!-- <img src="https://x.test/"> --><textarea><img src="https://x.test/"></textarea>`), ""},
		"sheet imports": {put("_lectern/a.css", "a{}\n@import url(//x.test/a.css);"),
			"_lectern/a.css:2:9 foreign-load"},
		"sheet's picture": {put("a.css", `a{background:image-set("https://x.test/a.png" 1x)}`),
			"a.css:1:24 foreign-load"},
		"script imports": {put("a.js", "a();\nimport(\"https://x.test/a.js\")"),
			"a.js:2:9 foreign-import"},
		"drawing": {put("images/a.svg",
			`<svg><style>@import "https://x.test/a.css";</style></svg>`), "images/a.svg:1:21 foreign-picture"},
		"web manifest": {put("a.webmanifest",
			`{"icons":[{"src":"https://x.test/a.png"},{"src":"images/c.png"}]}`), "a.webmanifest:1:1 foreign-load"},
		"reader may go elsewhere": {
			at(
				`<meta http-equiv=refresh content="3;url='https://x.test/'"><a href=https://y.test>y</a><form action="https://z.test">`), ""},
		"addresses of other sites": {
			at(
				`<link rel="alternate" hreflang="de" href="/de/"><meta property="og:image" content="https://x.test/a.png"><blockquote cite="https://x.test">`), ""},
		"missing script": {at(`<script src="_lectern/b.js"></script>`), "index.html:4:14 missing-asset"},
		"missing style sheet": {at(`<link rel=stylesheet href="_lectern/b.css">`),
			"index.html:4:28 missing-asset"},
		"missing font of ours": {put("_lectern/b.css", `@font-face{src:url(none.woff2)}`),
			"_lectern/b.css:1:16 missing-asset"},
		"missing search engine": {
			at(`<button data-engine="_lectern/s.js" data-index="_lectern/a.js" data-root=""></button>`),
			"index.html:4:22 missing-asset"},
		"wrong root": {
			at(`<button data-engine="_lectern/a.js" data-index="_lectern/a.js" data-root="guides/"></button>`),
			"index.html:4:75 missing-asset"},
		"missing picture": {at(`<img src="images/none.png">`), "index.html:4:11 broken-image"},
		"missing page": {at(`<a href="guides/none.html">x</a> <a href="guides/none.html">y</a>`),
			"index.html:4:10 broken-link; index.html:4:43 broken-link"},
		"wrong letter case":          {at(`<a href="Guides/start.html">x</a>`), "index.html:4:10 broken-link"},
		"missing anchor":             {at(`<a href="guides/start.html#none">x</a>`), "index.html:4:10 broken-anchor"},
		"missing anchor on the page": {at(`<a href="#none">x</a>`), "index.html:4:10 broken-anchor"},
		"escaped anchor": {
			at(`<p id="ä b"></p><a href="#%C3%A4%20b">x</a><a href="index.html#%C3%A4%20b">x</a>`), ""},
		"anchor by name":         {at(`<a name="n"></a><a href="#n">x</a>`), ""},
		"absolute link":          {at(`<a href="/guides/start.html">x</a>`), "index.html:4:10 absolute-link"},
		"absolute picture":       {at(`<img src="/images/c.png">`), "index.html:4:11 absolute-link"},
		"protocol-relative link": {at(`<a href="//x.test/">x</a>`), "index.html:4:10 absolute-link"},
		"link out of the bundle": {at(`<a href="../x.html">x</a>`), "index.html:4:10 outside-link"},
		"escaped way out":        {at(`<a href="%2e%2e/x.html">x</a>`), "index.html:4:10 outside-link"},
		"link without an ending": {at(`<a href="guides/start#first">x</a>`), "index.html:4:10 link-ending"},
		"link to a folder": {at(`<a href="guides/">x</a><a href=".">y</a>`),
			"index.html:4:10 link-ending; index.html:4:33 link-ending"},
		"inline script": {at(`<script>alert(1)</script>`), "index.html:4:9 inline-script"},
		"inline module": {at(`<script type=module>import "./a.js"</script>`),
			"index.html:4:21 inline-script"},
		"inline data": {
			at(`<script type="application/json">{}</script><script src="_lectern/a.js"></script>`), ""},
		"handler":         {at(`<p onclick="x()">`), "index.html:4:13 inline-script"},
		"javascript link": {at(`<a href="java&#10;script:x()">x</a>`), "index.html:4:10 inline-script"},
		"frame after a picture": {at(`<img src="data:text/html,x"><iframe src="data:text/html,x"></iframe>`),
			"index.html:4:42 inline-script"},
		"redirect page that is code": {at(`<script src="_lectern/a.js" data-to="javascript:x()"></script>`),
			"index.html:4:38 inline-script"},
		"script in its address": {at(`<script src="data:text/javascript,x()"></script>`),
			"index.html:4:14 inline-script"},
		"page in another encoding": {put("index.html", "\xff\xfe<\x00"), "index.html:1:1 page-encoding"},
		"relative base": {
			at(
				`<base href="guides/"><a href="start.html#first">x</a><img src="../images/c.png"><a href="index.html">y</a>`), "index.html:4:90 broken-link"},
		"404 with a wrong address": {put("404.html", page(`<link rel="stylesheet" href="/docs/_lectern/a.css">`,
			`<a href="/docs/none.html">x</a>`)), "404.html:4:10 broken-link"},
		"404 that finds its site": {put("404.html", page(`<script data-mark="_lectern/a.css">find()</script>`, "")),
			""},
		"404 that finds another": {put("404.html", page(`<script data-mark="_lectern/b.css">find()</script>`, "")),
			"404.html:2:42 missing-asset"},
		"404 with another script": {put("404.html", page(`<script>find()</script>`, "")),
			"404.html:2:31 inline-script"},
		"a finder on another page": {put("index.html",
			page(`<script data-mark="_lectern/a.css">find()</script>`, "")), "index.html:2:58 inline-script"},
		"damaged search index": {put("_lectern/search/index.js", `lecternIndex("index",{);`),
			"_lectern/search/index.js:1:1 search-damaged"},
		"search index in other forms": {put("_lectern/search/index.js", `lecternIndex("index",{"format":999});`+"\n"),
			"_lectern/search/index.js search-unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := goodTree()
			c.change(changed)
			r := check(t, archive(changed.sealed().tarGz(t)), Options{})
			if got := brief(r.Findings); got != c.want {
				t.Errorf("got  %s\nwant %s\n%v", got, c.want, r.Findings)
			}
			errors := 0
			for _, d := range r.Findings {
				if d.Severity == diag.Error {
					errors++
				}
			}
			if r.Errors != errors || r.OK != (errors == 0) || r.Warnings != len(r.Findings)-errors {
				t.Errorf("counts of %+v are wrong", r)
			}
		})
	}
}

// B7: any change to a file after the manifest was written is reported.
func TestChangesAfterManifestAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(tree)
		want   string
	}{
		"one byte":            {put("a.pdf", "pdF"), "a.pdf file-altered"},
		"one byte of a page":  {func(t tree) { t["index.md"] += " " }, "index.md file-altered"},
		"extra file":          {put("b.pdf", "x"), "b.pdf file-unlisted"},
		"missing file":        {func(t tree) { delete(t, "index.md") }, "index.md file-missing"},
		"last file missing":   {func(t tree) { delete(t, "sitemap.xml") }, "sitemap.xml file-missing"},
		"no manifest":         {func(t tree) { delete(t, "manifest.json") }, "manifest.json manifest-missing"},
		"manifest is no JSON": {put("manifest.json", "{"), "manifest.json manifest-invalid"},
		"wrong digest": {replaced("manifest.json", `"sha256":"`, `"sha256":"0`),
			"manifest.json manifest-invalid"},
		"wrong tree hash": {replaced("manifest.json", `"treeHash":"`, `"treeHash":"0`),
			"manifest.json manifest-invalid"},
		"file listed twice": {replaced("manifest.json", `"files":[`,
			`"files":[{"path":"404.html","size":1,"sha256":"`+strings.Repeat("0", 64)+`","type":"x"},`),
			"manifest.json manifest-invalid"},
		"unknown format": {replaced("manifest.json", `"format":1`, `"format":99`),
			"manifest.json manifest-invalid"},
		"another version": {func(t tree) { t["manifest.json"] = t.manifest("v2") },
			"manifest.json version-mismatch"},
		"nothing, it is right": {func(tree) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			changed := goodTree().sealed()
			c.change(changed)
			r := check(t, changed.folder(), Options{Version: "v1"})
			if got := brief(r.Findings); got != c.want || r.OK != (c.want == "") {
				t.Errorf("got %v\nwant %s", r.Findings, c.want)
			}
		})
	}
}

func replaced(path, old, new string) func(tree) {
	return func(t tree) { t[path] = strings.Replace(t[path], old, new, 1) }
}

// B7: with a public key, only bundles signed with its private key pass.
func TestSignatureIsRequiredWithKey(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := goodTree().sealed()
	signed := goodTree().sealed()
	signed[output.SignaturePath] = base64.StdEncoding.EncodeToString(ed25519.Sign(private,
		[]byte(signed["manifest.json"]))) + "\n"
	forged := goodTree().sealed()
	forged["manifest.json"], forged[output.SignaturePath] = forged.manifest("v2"), signed[output.SignaturePath]
	for name, c := range map[string]struct {
		tree tree
		key  ed25519.PublicKey
		want string
		says Signature
	}{
		"unsigned, no key": {plain, nil, "", Unsigned},
		"unsigned":         {plain, public, "manifest.sig signature-missing", Unsigned},
		"signed, no key":   {signed, nil, "", Unchecked},
		"signed":           {signed, public, "", Valid},
		"another key":      {signed, other, "manifest.sig signature-invalid", Invalid},
		"forged manifest":  {forged, public, "manifest.sig signature-invalid", Invalid},
	} {
		r := check(t, archive(c.tree.zip(t)), Options{PublicKey: c.key})
		if got := brief(r.Findings); got != c.want || r.Signature != c.says {
			t.Errorf("%s: %q, signature %s", name, got, r.Signature)
		}
	}
}

func TestAllowedHostsAreCountedButNotReported(t *testing.T) {
	changed := goodTree()
	at(`<img src="https://CDN.test/a.png"><img src="https://cdn.test:8443/b.png"><img src="https://x.test/c.png">`)(
		changed)
	r := check(t, archive(changed.sealed().tarGz(t)), Options{AllowHosts: []string{"cdn.test"}})
	if got := brief(r.Findings); got != "index.html:4:84 foreign-load" || r.Allowed["cdn.test"] != 2 {
		t.Errorf("findings %s, allowed %v", got, r.Allowed)
	}
}

func TestParsePublicKeyAcceptsCommonFormats(t *testing.T) {
	const text = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
	pem, err := ParsePublicKey([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	bare, err := ParsePublicKey([]byte(base64.StdEncoding.EncodeToString(pem) + "\n"))
	if err != nil || !pem.Equal(bare) {
		t.Errorf("got %v, %v", bare, err)
	}
	for _, bad := range []string{"", "x", "AAAA", strings.Replace(text, "VwAyEA", "VvAyEA", 1)} {
		if key, err := ParsePublicKey([]byte(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, key)
		}
	}
}
