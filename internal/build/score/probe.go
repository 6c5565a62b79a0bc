package score

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Request is a request of a check.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   string
}

// Response is the response to a request. Redirects are not followed, so they are responses too.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and does not follow redirects. It applies its own limits.
type Do func(ctx context.Context, r Request) (Response, error)

// probe is one run: the site and the data collected about it.
type probe struct {
	do     Do
	base   *url.URL // without a trailing slash in its path
	seen   map[string]Response
	llms   Response
	links  []string // paths in llms.txt, relative to base
	mapped []entry  // entries of the sitemap
	sample []*page
}

// entry is one line of a sitemap.
type entry struct {
	path  string
	dated bool
}

// sampleMax is the maximum number of pages in the sample.
const sampleMax = 10

func newProbe(ctx context.Context, address string, do Do) (*probe, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is not a site's address.", address).
			WithField("site").
			WithHint("Start it with https:// or http://.")
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment, u.User = strings.TrimRight(u.Path, "/"), "", "", "", nil
	p := &probe{do: do, base: u, seen: map[string]Response{}}
	home, err := do(ctx, Request{Method: http.MethodGet, URL: p.at("/")})
	if err != nil {
		return nil, fault.Newf(fault.Unavailable, "site_unreachable", "The site at %s does not respond.", u).
			WithField("site").WithCause(err)
	}
	p.llms = p.get(ctx, "/llms.txt")
	p.links = p.listed(string(p.llms.Body))
	p.mapped = p.readSitemap(ctx, "/sitemap.xml", 0)
	p.choose(ctx, home)
	return p, nil
}

// at returns the address of a path below the site.
func (p *probe) at(rel string) string {
	u := *p.base
	u.Path += rel
	return u.String()
}

// below returns the path of an address relative to the site. It ignores the host, because the site may be examined
// under a host name other than its own.
func (p *probe) below(address string) (rel string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	rel, ok = strings.CutPrefix(path.Clean("/"+u.Path), p.base.Path)
	if rel == "" {
		rel = "/"
	}
	return rel, ok && strings.HasPrefix(rel, "/")
}

// get requests a path once, as a program that accepts any media type. If there is no response, the status is 0.
func (p *probe) get(ctx context.Context, rel string) Response { return p.getAs(ctx, rel, "*/*") }

func (p *probe) getAs(ctx context.Context, rel, accept string) Response {
	key := accept + " " + rel
	if a, ok := p.seen[key]; ok {
		return a
	}
	a, err := p.do(ctx, Request{Method: http.MethodGet, URL: p.at(rel), Header: http.Header{"Accept": {accept}}})
	if err != nil {
		a = Response{Header: http.Header{}}
	}
	p.seen[key] = a
	return a
}

// is reports whether a response is successful and of one of the media types.
func (a Response) is(kinds ...string) bool {
	return a.Status == http.StatusOK && slices.Contains(kinds, a.kind())
}

// kind returns the media type without parameters.
func (a Response) kind() string {
	t, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(t))
}

func (a Response) say(rel string) string {
	if a.Status == 0 {
		return rel + ": no answer"
	}
	return fmt.Sprintf("%s: %d %s, %d bytes", rel, a.Status, a.kind(), len(a.Body))
}

var markdownLink = lazyregexp.New(`\]\(([^()\s]+)\)`)

// listed returns the paths below the site that a Markdown list links to.
func (p *probe) listed(text string) (out []string) {
	known := map[string]bool{}
	for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
		if u, err := url.Parse(m[1]); err != nil || u.Host != "" && u.Host != p.base.Host && !p.own(u.Host) {
			continue
		}
		if rel, ok := p.below(m[1]); ok && !known[rel] {
			known[rel] = true
			out = append(out, rel)
		}
	}
	return out
}

// own reports whether the first link in the site's own llms.txt leads to host.
func (p *probe) own(host string) bool {
	first := markdownLink.FindStringSubmatch(string(p.llms.Body))
	if first == nil {
		return false
	}
	u, err := url.Parse(first[1])
	return err == nil && u.Host == host
}

// readSitemap reads a sitemap. If the sitemap is split, it reads the first parts.
func (p *probe) readSitemap(ctx context.Context, rel string, depth int) (out []entry) {
	var doc struct {
		URLs []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"url"`
		Parts []struct {
			Loc string `xml:"loc"`
		} `xml:"sitemap"`
	}
	a := p.get(ctx, rel)
	if a.Status != http.StatusOK || xml.Unmarshal(a.Body, &doc) != nil {
		return nil
	}
	for _, u := range doc.URLs {
		if at, ok := p.below(u.Loc); ok {
			out = append(out, entry{at, strings.TrimSpace(u.LastMod) != ""})
		}
	}
	const parts = 5
	for i, part := range doc.Parts {
		if at, ok := p.below(part.Loc); ok && depth == 0 && i < parts {
			out = append(out, p.readSitemap(ctx, at, depth+1)...)
		}
	}
	return out
}

// choose selects the first page and others evenly distributed over the sitemap, or over llms.txt if there is none.
func (p *probe) choose(ctx context.Context, home Response) {
	var all []string
	for _, e := range p.mapped {
		all = append(all, e.path)
	}
	if len(all) == 0 {
		for _, l := range p.links {
			all = append(all, strings.TrimSuffix(l, ".md"))
		}
	}
	p.sample = append(p.sample, newPage("/", home))
	all = slices.DeleteFunc(all, func(s string) bool { return s == "/" || s == "/index" })
	step := max(1, (len(all)+sampleMax-2)/(sampleMax-1))
	for i := 0; i < len(all) && len(p.sample) < sampleMax; i += step {
		p.sample = append(p.sample, newPage(all[i], p.getAs(ctx, all[i], "text/html")))
	}
}

// each runs a test on every page of the sample. The outcome's share is the fraction of pages that pass.
func (p *probe) each(test func(*page) (ok bool, why string)) outcome {
	good, o := 0, outcome{}
	for _, one := range p.sample {
		ok, why := test(one)
		if ok {
			good++
		} else {
			o.evidence = append(o.evidence, one.path+": "+why)
		}
	}
	o.share = float64(good) / float64(len(p.sample))
	if good == len(p.sample) {
		o.evidence = []string{fmt.Sprintf("%d pages checked", good)}
	}
	return o
}
