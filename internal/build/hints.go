package build

import (
	"fmt"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/site"
)

// Messages about references that lead nowhere. Their hints name pages and files of the whole site, so they are written
// when the site is complete: a page is made, and kept in the cache, without them.
const (
	brokenLinkText  = "Page or file not found: %q."
	brokenImageText = "File not found: %q."
)

// hintBroken adds to findings about broken references what the author probably meant, or what to do.
func hintBroken(list diag.List, s *site.Site) {
	var near *nearby
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
			near = newNearby(s)
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

func (n *nearby) add(p string) {
	name := strings.ToLower(path.Base(p))
	if name == "index" {
		name = strings.ToLower(path.Base(path.Dir(p)))
	}
	n.byName[name] = append(n.byName[name], p)
}

// find returns the address of the page or file with the same name whose path is nearest; "" when no one has that name.
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
