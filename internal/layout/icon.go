package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

// IconWriter writes the icon called name as inline SVG, in the library of the site. It reports whether there is one.
type IconWriter interface {
	WriteIcon(b *markup.Buffer, name, style string) bool
}

// Signs are the icons of a site's navigation. The same ones stand on every page, so that they come in one style sheet that
// browsers keep, and a page only names them.
type Signs struct {
	known map[string]bool
	sheet markup.Buffer
}

// signsMax bounds the sheet; signNameMax the name of an icon.
const (
	signsMax    = 1000
	signNameMax = 100
)

// NewSigns draws the icons that the navigation, the navbar and the footer name.
func NewSigns(s *site.Site, icons IconWriter) *Signs {
	g := &Signs{known: map[string]bool{}}
	site.Walk(s.Nav, func(n *site.Node) bool {
		g.add(icons, n.Icon)
		if p := s.Find(n.Page); n.Page != "" && p != nil {
			g.add(icons, p.Icon)
		}
		return true
	})
	links := s.Navbar.Links
	if s.Navbar.Primary != nil {
		links = append(links[:len(links):len(links)], *s.Navbar.Primary)
	}
	for _, c := range s.Footer.Columns {
		links = append(links[:len(links):len(links)], c.Items...)
	}
	for _, l := range links {
		g.add(icons, l.Icon)
	}
	for _, l := range s.Footer.Socials {
		g.add(icons, network(l.Icon))
	}
	return g
}

// Sheet is the style sheet; empty when the site names no icon.
func (g *Signs) Sheet() []byte { return g.sheet.Bytes() }

func (g *Signs) add(icons IconWriter, name string) {
	if _, seen := g.known[name]; seen || !nameable(name) || len(g.known) >= signsMax {
		return
	}
	var svg markup.Buffer
	g.known[name] = icons.WriteIcon(&svg, name, "")
	if !g.known[name] {
		return
	}
	g.sheet.Raw(`@layer nav{[data-sign="`)
	g.sheet.Name(name)
	g.sheet.Raw(`"]{--sign:url("data:image/svg+xml,`)
	g.sheet.Name(inURL.Replace(string(svg.Bytes())))
	g.sheet.Raw("\")}}\n")
}

// inURL writes the SVG that icons are into an address inside double quotes.
var inURL = strings.NewReplacer(`<svg class="icon" aria-hidden="true" width="1em" height="1em"`, `%3Csvg xmlns='http://www.w3.org/2000/svg'`,
	`"`, "'", "%", "%25", "#", "%23", "<", "%3C", ">", "%3E", "\n", " ", `\`, "%5C")

// nameable tells a name of a library from a path or an address. Such a name needs no escape, in a style sheet or elsewhere.
func nameable(name string) bool {
	if name == "" || len(name) > signNameMax {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':' || c == ' ') {
			return false
		}
	}
	return true
}

// icon writes the icon of a navigation entry: one of the library, else a picture by its path or address. A name nobody has draws nothing.
// It reports whether it wrote something.
func (f *Frame) icon(d *markup.Buffer, links Links, name string) bool {
	if f.signs != nil && f.signs.known[name] {
		d.Raw(`<span class="nav-icon"`)
		d.Attr("data-sign", name)
		d.Raw("></span>")
		return true
	}
	if !strings.ContainsAny(name, "/.") {
		return false
	}
	src := links.Address(name)
	if src == "" {
		return false
	}
	d.Raw(`<span class="nav-icon"><img`)
	d.Attr("src", src)
	d.Raw(` alt=""></span>`)
	return true
}

// icon is what stands before the entry: the navigation's own, else the page's.
func (e *entry) icon() string {
	if e.node.Icon == "" && e.page != nil && e.node.Kind == site.KindPage {
		return e.page.Icon
	}
	return e.node.Icon
}

// network is the icon of a social network; other names are asked for among the brands as they are.
func network(name string) string {
	switch name {
	case "":
		return ""
	case "x", "x-twitter", "twitter":
		return "fab:x-twitter"
	case "website":
		return "fa:globe"
	case "earth", "earth-americas":
		return "fa:earth-americas"
	}
	return "fab:" + name
}
