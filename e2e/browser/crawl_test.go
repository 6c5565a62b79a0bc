package browser

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pageInfo is what a browser reports about a loaded page.
type pageInfo struct {
	Here      string            `json:"here"` // its address, which a server may have shortened
	Canonical []string          `json:"canonical"`
	IDs       []string          `json:"ids"`   // anchors that links can point to
	Links     []string          `json:"links"` // absolute addresses that a reader may follow or the page needs
	Shown     map[string]string `json:"shown"` // absolute address → element of an image, video or frame
}

// readPageInfo is evaluated in a page whose scripts have run.
const readPageInfo = `(() => {
	const all = (css) => [...document.querySelectorAll(css)];
	const full = (u) => { try { return new URL(u, document.baseURI).href } catch { return '' } };
	const shown = {};
	const show = (e, u) => { if (u) shown[full(u)] = e.localName };
	for (const e of all('img, video, audio, source, track, iframe, embed, object, input[type=image], image')) {
		for (const u of [e.getAttribute('src'), e.currentSrc, e.getAttribute('poster'), e.getAttribute('data'), e.getAttribute('href')]) show(e, u);
		for (const part of (e.getAttribute('srcset') ?? '').split(/,\s+/)) show(e, part.trim().split(/\s+/)[0]);
	}
	return {
		here: location.href.split('#')[0],
		canonical: all('link[rel=canonical]').map((e) => e.href),
		ids: [...all('[id]').map((e) => e.id), ...all('a[name]').map((e) => e.name)],
		links: [...new Set([...all('a[href], area[href]').map((e) => e.href), ...all('link[href]:not([rel=canonical])').map((e) => e.href),
			...all('script[src]').map((e) => e.src), ...Object.keys(shown)])].filter((u) => typeof u === 'string' && u !== ''),
		shown,
	};
})()`

// crawl is the information recorded about a bundle opened below one base.
type crawl struct {
	base  string // ends with a slash
	dir   string // where the bundle is unpacked
	pages map[string]pageInfo
}

// fileOf returns the bundle file that an address refers to.
func (c *crawl) fileOf(address string) (file, fragment string, ok bool) {
	address, fragment, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	rest, ok := strings.CutPrefix(address, c.base)
	if !ok {
		return "", "", false
	}
	file, err := url.PathUnescape(rest)
	if err != nil {
		return rest, fragment, true // no file has that name
	}
	if fragment, err = url.PathUnescape(fragment); err != nil {
		fragment = ""
	}
	return file, fragment, true
}

// unresolved lists broken links (B9). Each entry has the page and the target.
func (c *crawl) unresolved() (out []gap) {
	there := map[string]bool{}
	for name, seen := range c.pages {
		for _, to := range seen.Links {
			file, fragment, ok := c.fileOf(to)
			if own, _, _ := strings.Cut(to, "#"); own == seen.Here {
				file = name
			}
			if !ok {
				if strings.HasPrefix(to, c.origin()) {
					out = append(out, gap{page: name, to: to, why: "outside of the bundle"})
				}
				continue
			}
			if _, asked := there[file]; !asked {
				there[file] = c.exists(file)
			}
			target, visited := c.pages[file]
			switch {
			case !there[file]:
				out = append(out, gap{page: name, to: file, why: "no such file"})
			case path.Ext(file) == "":
				out = append(out, gap{page: name, to: file, why: "a page without .html"})
			case visited && fragment != "" && !slices.Contains(target.IDs, fragment) &&
				!strings.HasPrefix(fragment, ":~:"):
				out = append(out, gap{page: name, to: fragment, why: "no such place on " + file, place: true})
			}
		}
	}
	return out
}

// gap is a broken link.
type gap struct {
	page, to, why string
	place         bool // to is an anchor on a page, not a file
}

// origin returns the prefix of addresses on the same host.
func (c *crawl) origin() string {
	if strings.HasPrefix(c.base, "file:") {
		return "file:"
	}
	u, _ := url.Parse(c.base) // valid: the test created it
	return u.Scheme + "://" + u.Host + "/"
}

// exists reports whether readers can open a file, from disk or from the web server.
func (c *crawl) exists(file string) bool {
	if strings.HasPrefix(c.base, "file:") {
		info, err := os.Stat(filepath.Join(c.dir, filepath.FromSlash(file)))
		return err == nil && info.Mode().IsRegular()
	}
	r, err := http.Get(c.base + (&url.URL{Path: file}).EscapedPath())
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode == http.StatusOK && !strings.HasSuffix(file, "/")
}

// published matches addresses of the published site. Authors may configure another origin for their site.
var published = regexp.MustCompile(`^https://[^/?#]+/[^?#]*$`)

// addresses checks canonical addresses and the sitemap (B9).
func (c *crawl) addresses() (out []string) {
	for name, seen := range c.pages {
		for _, u := range seen.Canonical {
			if !published.MatchString(u) || strings.HasSuffix(u, ".html") {
				out = append(out, name+" has the canonical address "+u)
			}
		}
		if len(seen.Canonical) > 1 {
			out = append(out, name+" has several canonical addresses")
		}
	}
	var list struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	text, err := os.ReadFile(filepath.Join(c.dir, "sitemap.xml"))
	if err == nil {
		err = xml.Unmarshal(text, &list)
	}
	if err != nil || len(list.URL) == 0 {
		out = append(out, "there is no sitemap")
	}
	for _, u := range list.URL {
		if !published.MatchString(u.Loc) || strings.HasSuffix(u.Loc, ".html") {
			out = append(out, "the sitemap has "+u.Loc)
		}
	}
	return out
}
