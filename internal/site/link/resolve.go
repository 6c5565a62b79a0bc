package link

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// Kind is the result of resolving a reference.
type Kind int

const (
	External  Kind = iota // another site, or an email address
	ToPage                // a page of this site
	ToFile                // an asset or another file of the tree
	ToAnchor              // an anchor on the same page
	Elsewhere             // a page of this site that is not part of this tree
	Broken                // a path on this site that does not exist
	Unsafe                // a scheme or form that must not be written to a page
)

// Target is a resolved reference. Href is "" if Kind is Unsafe, or if it is Elsewhere and the URL of the published site
// is unknown.
type Target struct {
	Kind   Kind
	Href   string
	Page   string // for ToPage and ToAnchor
	File   string // path in the tree, for ToFile
	Anchor string // decoded, for ToPage and ToAnchor
}

// maxRef limits the length of a URL, in bytes.
const maxRef = 8 << 10

// Resolve finds the target of a reference on this page.
func (f From) Resolve(ref string) Target {
	ref, ok := tidy(ref)
	if !ok {
		return Target{Kind: Unsafe}
	}
	if scheme, ok := schemeOf(ref); ok {
		return external(ref, scheme)
	}
	if strings.HasPrefix(ref, "//") {
		return external("https:"+ref, "https")
	}
	body, anchor, _ := strings.Cut(ref, "#")
	body, query, _ := strings.Cut(body, "?")
	if anchor = unescape(anchor); body == "" && query == "" {
		if anchor == "" {
			return Target{Kind: ToAnchor, Href: "#", Page: f.page}
		}
		return Target{Kind: ToAnchor, Href: "#" + escapeFragment(anchor), Page: f.page, Anchor: anchor}
	}
	p, err := url.PathUnescape(body)
	if err != nil {
		p = body
	}
	return f.local(p, query, anchor)
}

// local resolves a path on this site.
func (f From) local(p, query, anchor string) Target {
	if !strings.HasPrefix(p, "/") {
		p = path.Join(path.Dir(f.page), p)
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	for range 5 { // follow chained redirects; the limit ends loops
		if t, ok := f.known(p, query, anchor); ok {
			return t
		}
		dest, _, ok := f.t.redirects.Match("/" + p)
		if !ok {
			break
		}
		if scheme, isURL := schemeOf(dest); isURL {
			return external(dest, scheme)
		}
		dest, hash, _ := strings.Cut(dest, "#")
		if anchor == "" {
			anchor = unescape(hash)
		}
		p = strings.TrimPrefix(path.Clean("/"+unescape(dest)), "/")
	}
	if f.t.leftFolders[p] && f.t.folders[p] == "" {
		return f.t.elsewhere(p, query, anchor)
	}
	if page, ok := f.t.folders[p]; ok { // link to the folder itself; its URL redirects to the page
		return Target{Kind: ToPage, Href: f.Page(p, "") + suffix(query, anchor), Page: page, Anchor: anchor}
	}
	return Target{Kind: Broken, Href: f.missing(p) + suffix(query, anchor)}
}

// known looks up p among the files and pages of the tree.
func (f From) known(p, query, anchor string) (Target, bool) {
	t := f.t
	if t.assets[p] || t.made(p) && !t.pages[strings.TrimSuffix(p, ".md")] {
		return Target{Kind: ToFile, File: p, Href: f.File(p) + suffix(query, anchor)}, true
	}
	page, ok := slug.Clean(p)
	if !ok {
		return Target{}, false
	}
	for _, q := range []string{page, page + "/index", strings.TrimSuffix(page, "/index"), p} {
		switch {
		case t.pages[q]:
			if q == f.page && anchor != "" && query == "" {
				return Target{Kind: ToAnchor, Href: "#" + escapeFragment(anchor), Page: q, Anchor: anchor}, true
			}
			return Target{Kind: ToPage, Href: f.Page(q, "") + suffix(query, anchor), Page: q, Anchor: anchor}, true
		case t.left[q] && (p != "" || t.base != ""): // the root always exists
			return t.elsewhere(q, query, anchor), true
		}
	}
	if p == "" {
		return Target{Kind: ToPage, Href: f.Root() + suffix(query, anchor), Page: t.home, Anchor: anchor}, true
	}
	return Target{}, false
}

// elsewhere returns the target for a page, or a folder of pages, that is part of the published site but not of this
// tree. If the URL of the published site is unknown, a tree with relative links has no URL for the page.
func (t *Table) elsewhere(page, query, anchor string) Target {
	if t.style == Relative && t.base == "" {
		return Target{Kind: Elsewhere}
	}
	return Target{Kind: Elsewhere, Href: t.Canonical(page) + suffix(query, anchor)}
}

// missing returns the URL that a page or file would have if it existed.
func (f From) missing(p string) string {
	if f.t.style == Relative && path.Ext(p) == "" {
		return f.File(File(p))
	}
	return f.File(p)
}

func suffix(query, anchor string) (s string) {
	if query != "" {
		s = "?" + escapeQuery(query)
	}
	if anchor != "" {
		s += "#" + escapeFragment(anchor)
	}
	return s
}

// escapeQuery keeps characters that a query may contain and percent-encodes the rest.
func escapeQuery(q string) string {
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"'<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
