package score

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// The checks of how the site responds.

// noise matches the parts of a page's Markdown that its HTML does not show.
var noise = []*lazyregexp.Regexp{
	// the part of the API description that an API page shows
	lazyregexp.New("(?ms)^## (?:OpenAPI|AsyncAPI)\n\n`{3,}json\n.*?^`{3,}$"),
	lazyregexp.New(`(?m)^.*llms\.txt.*$`), lazyregexp.New(`(?s)<!--.*?-->`),
	lazyregexp.New(`\]\([^)\s]*\)`),
	lazyregexp.New(`https?://[^\s)>\]]+`),
	lazyregexp.New(`<[^>]{0,400}>`), lazyregexp.New("(?m)^\\s*(```|~~~).*$"),
}

// twinOf requests a page's Markdown form: at the address that the page specifies, or at its own address with .md
// appended.
func (p *probe) twinOf(ctx context.Context, one *page) (Response, bool) {
	rel := strings.TrimSuffix(one.path, "/") + ".md"
	if one.path == "/" {
		rel = "/index.md"
	}
	if at, ok := p.below(alternate(one.response.Header)); ok && alternate(one.response.Header) != "" {
		rel = at
	}
	a := p.get(ctx, rel)
	return a, a.is("text/markdown", "text/plain")
}

var linkHeader = lazyregexp.New(`<([^>]*)>\s*;([^<]*)`)

// alternate returns the address of the Markdown form in the Link header, or "".
func alternate(h http.Header) string {
	for _, m := range linkHeader.FindAllStringSubmatch(strings.Join(h.Values("Link"), ", "), -1) {
		if strings.Contains(m[2], "alternate") && strings.Contains(m[2], "text/markdown") {
			return m[1]
		}
	}
	return ""
}

func twins(ctx context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		a, ok := p.twinOf(ctx, one)
		return ok && a.is("text/markdown") &&
			!bytes.HasPrefix(bytes.TrimSpace(a.Body), []byte("<!")), "its Markdown version: " + a.say("")
	})
}

func negotiation(ctx context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		text, html := p.getAs(ctx, one.path, "text/markdown"),
			p.getAs(ctx, one.path, "text/html,application/xhtml+xml,*/*;q=0.8")
		switch {
		case !text.is("text/markdown"):
			return false, "requested as Markdown: " + text.say("")
		case !html.is("text/html"):
			return false, "requested like a browser: " + html.say("")
		}
		vary := strings.ToLower(strings.Join(html.Header.Values("Vary"), ","))
		for name := range strings.SplitSeq(vary, ",") {
			if name = strings.TrimSpace(name); name == "accept" || name == "*" {
				return true, ""
			}
		}
		return false, "no Vary: Accept"
	})
}

func linkHeaders(_ context.Context, p *probe) outcome {
	return p.each(func(one *page) (bool, string) {
		h := one.response.Header
		if alternate(h) == "" {
			return false, "no Link with rel=\"alternate\" and text/markdown"
		}
		return strings.Contains(strings.Join(h.Values("Link"), ","), "llms.txt") ||
			h.Get("X-Llms-Txt") != "", "no header links to llms.txt"
	})
}

func statuses(ctx context.Context, p *probe) outcome {
	o := outcome{}
	note := func(points float64, ok bool, what string) {
		if ok {
			o.share += points
		} else {
			o.evidence = append(o.evidence, what)
		}
	}
	const nowhere = "/there-is-no-such-page-7f3a"
	lost := p.getAs(ctx, nowhere, "text/html")
	note(0.5, lost.Status == http.StatusNotFound, lost.say(nowhere))
	one := p.sample[len(p.sample)-1]
	head, err := p.do(ctx, Request{Method: http.MethodHead, URL: p.at(one.path)})
	note(0.25, err == nil && head.Status == http.StatusOK && len(head.Body) == 0,
		fmt.Sprintf("HEAD %s: %d", one.path, head.Status))
	slash := p.get(ctx, strings.TrimSuffix(one.path, "/")+"/")
	moved := slash.Status >= 300 && slash.Status < 400 && slash.Header.Get("Location") != ""
	note(0.25, slash.Status == http.StatusOK || moved, slash.say(one.path+"/"))
	if o.share >= 1 {
		o.share, o.evidence = 1, []string{lost.say(nowhere)}
	}
	return o
}

func wellKnown(ctx context.Context, p *probe) outcome {
	o := outcome{}
	if a := p.get(ctx, "/skill.md"); a.is("text/markdown", "text/plain") && bytes.HasPrefix(a.Body, []byte("---")) {
		o.share += 0.4
	} else {
		o.evidence = append(o.evidence, a.say("/skill.md"))
	}
	o.share += p.skillIndex(ctx, &o)
	catalog := p.get(ctx, "/.well-known/api-catalog")
	if catalog.Status == http.StatusOK && !p.catalogLinksWork(ctx, catalog, &o) {
		o.share -= 0.3
	}
	if o.share = max(0, o.share); o.share >= 0.999 {
		o.share, o.evidence = 1,
			[]string{"/skill.md, the index of skills and its digests", catalog.say("/.well-known/api-catalog")}
	}
	return o
}

// skillIndex scores the index of skills: 0.3 if it can be read and 0.3 more if every digest in it is correct.
func (p *probe) skillIndex(ctx context.Context, o *outcome) float64 {
	var index struct {
		Skills []struct {
			Name, URL, Digest string
		}
	}
	const at = "/.well-known/agent-skills/index.json"
	a := p.get(ctx, at)
	if a.Status != http.StatusOK || json.Unmarshal(a.Body, &index) != nil || len(index.Skills) == 0 {
		o.evidence = append(o.evidence, a.say(at))
		return 0
	}
	for _, s := range index.Skills {
		rel, ok := p.below(s.URL)
		got := p.get(ctx, rel)
		sum := sha256.Sum256(got.Body)
		if !ok || got.Status != http.StatusOK || strings.TrimPrefix(s.Digest, "sha256:") != hex.EncodeToString(sum[:]) {
			o.evidence = append(o.evidence, "the digest of "+s.Name+" does not match "+s.URL)
			return 0.3
		}
	}
	return 0.6
}

// catalogLinksWork reports whether the API descriptions that an API catalog lists can be fetched.
func (p *probe) catalogLinksWork(ctx context.Context, a Response, o *outcome) bool {
	var doc struct {
		Linkset []struct {
			Desc []struct {
				Href string
			} `json:"service-desc"`
		}
	}
	if json.Unmarshal(a.Body, &doc) != nil || len(doc.Linkset) == 0 {
		o.evidence = append(o.evidence, "/.well-known/api-catalog is not a linkset")
		return false
	}
	for _, l := range doc.Linkset {
		for _, d := range l.Desc {
			rel, ok := p.below(d.Href)
			if got := p.get(ctx, rel); ok && got.Status != http.StatusOK {
				o.evidence = append(o.evidence, got.say(d.Href))
				return false
			}
		}
	}
	return true
}
