package build

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
)

// Messages about broken references. A hint may suggest any page or file of the site, so hints are added when the site
// is complete. Pages are rendered and cached without them.
const (
	brokenLinkText  = "Page or file not found: %q."
	brokenImageText = "File not found: %q."
)

// hintBroken adds hints to findings about broken references: what the author probably meant, or what to do.
// References to targets that readers of this view may not see become separate findings, because only the author may
// know that the target exists.
func hintBroken(list diag.List, src *source) {
	var near, withheld *nearby
	for i := range list {
		d := &list[i]
		format := map[string]string{"broken-link": brokenLinkText, "broken-image": brokenImageText}[d.Code]
		var dest string
		if d.Hint != "" || format == "" {
			continue
		} else if _, err := fmt.Sscanf(d.Message, format, &dest); err != nil {
			continue
		}
		if near == nil {
			near, withheld = newNearby(src.site), newNearbyOf(src.withheld, src.withheldFiles)
		}
		if withheld.has(d.File, dest) {
			*d = restricted(*d, dest)
			continue
		}
		meant := near.find(dest)
		switch {
		case meant != "":
			d.Hint = fmt.Sprintf("Did you mean %q?", meant)
		case d.Code == "broken-image":
			d.Hint = "Add the file, or correct the path: one that starts with / starts at the docs folder."
		default:
			d.Hint = "Correct the address, add the page, or redirect the address to another page."
		}
	}
}

// restricted returns the finding about a reference to a target that exists but that readers of this view may not
// see.
func restricted(d diag.Diagnostic, dest string) diag.Diagnostic {
	var list diag.List
	at := diag.Pos{File: d.File, Line: d.Line, Column: d.Column}
	const text = "%q exists, but these readers may not see it."
	if d.Code == "broken-image" {
		list.Warnf(at, "restricted-image", text, dest)
	} else {
		list.Warnf(at, "restricted-link", text, dest)
	}
	list.Hint("For them, the link is broken. Link to it only from pages for the same groups.")
	return list[0]
}

// nearby finds pages and files by the last part of their path.
type nearby struct{ byName map[string][]string }

func newNearby(s *site.Site) *nearby {
	n := &nearby{byName: map[string][]string{}}
	for _, p := range s.Pages {
		n.add(p.Path)
	}
	for _, a := range s.Assets {
		n.add(a.Path)
	}
	return n
}

func newNearbyOf(lists ...[]string) *nearby {
	n := &nearby{byName: map[string][]string{}}
	for _, p := range slices.Concat(lists...) {
		n.add(p)
	}
	return n
}

// has reports whether a reference in a file leads to one of these pages and files.
func (n *nearby) has(file, dest string) bool {
	dest = dest[:strings.IndexAny(dest+"#", "?#")]
	if plain, err := url.PathUnescape(dest); err == nil {
		dest = plain
	}
	if !strings.HasPrefix(dest, "/") {
		dest = path.Join(path.Dir(file), dest)
	}
	dest = strings.TrimPrefix(path.Clean("/"+dest), "/")
	page, _ := slug.Clean(dest)
	return slices.ContainsFunc(n.byName[strings.ToLower(path.Base(dest))], func(p string) bool { return p == dest }) ||
		slices.ContainsFunc(n.byName[strings.ToLower(path.Base(page))], func(p string) bool {
			return p == page || p == page+"/index"
		})
}

func (n *nearby) add(p string) {
	name := strings.ToLower(path.Base(p))
	if name == "index" {
		name = strings.ToLower(path.Base(path.Dir(p)))
	}
	n.byName[name] = append(n.byName[name], p)
}

// find returns the address of the page or file with the same name and the most similar path, or "".
func (n *nearby) find(dest string) string {
	dest, rest, _ := strings.Cut(dest, "#")
	dest, _, _ = strings.Cut(dest, "?")
	dest = strings.Trim(dest, "/")
	for _, end := range []string{".mdx", ".md", ".html"} {
		dest = strings.TrimSuffix(dest, end)
	}
	best, least := "", 1<<30
	for _, p := range n.byName[strings.ToLower(path.Base(dest))] {
		if d := didyoumean.Distance(dest, p, 1<<20); d < least || d == least && p < best {
			best, least = p, d
		}
	}
	if best == "" {
		return ""
	}
	if rest != "" {
		best += "#" + rest
	}
	return "/" + best
}
