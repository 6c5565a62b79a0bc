package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/site"
)

// IconWriter writes the icon called name from the site's library as inline SVG. It reports whether the icon exists.
type IconWriter interface {
	WriteIcon(b *htmlbuf.Buffer, name, style string) bool
}

// IconSheet is a style sheet with the icons of a site's navigation and the colours of the navigation's parts. All pages
// refer to the same sheet, so that browsers can cache it. A nil IconSheet has no icons.
type IconSheet struct {
	known map[string]bool
	tones map[site.Pair]string
	sheet htmlbuf.Buffer
}

// signsMax limits the number of icons in the sheet, signNameMax the length of an icon's name.
const (
	signsMax    = 1000
	signNameMax = 100
)

// NewIconSheet draws the icons of the navigation, the navbar, the footer and the page menu.
func NewIconSheet(s *site.Site, icons IconWriter) *IconSheet {
	g := &IconSheet{known: map[string]bool{}, tones: map[site.Pair]string{}}
	site.Walk(s.Nav, func(n *site.Node) bool {
		more := n.Details()
		g.add(icons, n.Icon, more.IconType)
		g.addTone(more.Color)
		if p := s.Find(n.Page); n.Page != "" && p != nil {
			own := p.Details()
			g.add(icons, p.Icon, own.IconType)
			if own.Menu != nil {
				g.menu(icons, *own.Menu)
			}
		}
		if more.Chrome != nil {
			g.chrome(icons, *more.Chrome)
		}
		return true
	})
	g.chrome(icons, s.Chrome)
	g.menu(icons, s.Menu)
	return g
}

func (g *IconSheet) chrome(icons IconWriter, c site.Chrome) {
	for _, l := range c.Navbar.Links {
		g.add(icons, l.Icon, l.IconType)
	}
	if p := c.Navbar.Primary; p != nil {
		g.add(icons, p.Icon, p.IconType)
	}
	for _, column := range c.Footer.Columns {
		for _, l := range column.Items {
			g.add(icons, l.Icon, l.IconType)
		}
	}
	for _, l := range c.Footer.Socials {
		g.add(icons, network(l.Icon), "")
	}
	if c.Banner != nil {
		g.addTone(c.Banner.Color)
	}
}

// Sheet returns the style sheet. It is empty if the site uses no icons and colours.
func (g *IconSheet) Sheet() []byte { return g.sheet.Bytes() }

func (g *IconSheet) add(icons IconWriter, name, style string) {
	key := signKey(name, style)
	if _, seen := g.known[key]; seen || !nameable(name) || style != "" && !nameable(style) || len(g.known) >= signsMax {
		return
	}
	var svg htmlbuf.Buffer
	g.known[key] = icons.WriteIcon(&svg, name, style)
	if g.known[key] {
		g.rule(key, string(svg.Bytes()))
	}
}

// signKey returns the name by which pages refer to an icon.
func signKey(name, style string) string {
	if style == "" {
		return name
	}
	return name + " " + style
}

// rule writes an icon to the sheet. key has been checked; svg comes from package icon or is a constant.
func (g *IconSheet) rule(key, svg string) {
	g.sheet.Raw(`@layer nav{[data-sign="`)
	g.sheet.Name(key)
	g.sheet.Raw(`"]{--sign:url("data:image/svg+xml,`)
	g.sheet.Name(inURL.Replace(svg))
	g.sheet.Raw("\")}}\n")
}

// inURL encodes the SVG of an icon for a URL inside double quotes.
var inURL = strings.NewReplacer(`<svg class="icon" aria-hidden="true" width="1em" height="1em"`,
	`%3Csvg xmlns='http://www.w3.org/2000/svg'`,
	`"`, "'", "%", "%25", "#", "%23", "<", "%3C", ">", "%3E", "\n", " ", `\`, "%5C")

// nameable reports whether an icon is given by its name in a library rather than by a path or a URL. Such a name needs
// no escaping, neither in a style sheet nor elsewhere.
func nameable(name string) bool {
	if name == "" || len(name) > signNameMax {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':' ||
			c == ' ') {
			return false
		}
	}
	return true
}

// icon writes an icon, either from the library or, if name is a path or URL, as an image. It reports whether it wrote
// anything; for an unknown name it does not.
func (s *pageWriter) icon(name, style string) bool { return s.iconAs("", name, style) }

// iconAs writes an icon with a class for authors' CSS; "" = none.
func (s *pageWriter) iconAs(class, name, style string) bool {
	d := s.d
	class = strings.TrimSpace("nav-icon " + class)
	if key := signKey(name, style); s.drawn(key) {
		d.Raw("<svg") // the style sheet draws the icon; authors' CSS expects an svg
		d.Attr("class", class)
		d.Attr("data-sign", key)
		d.Raw(` aria-hidden="true"></svg>`)
		return true
	}
	src := s.picture(name)
	if src == "" {
		return false
	}
	d.Raw("<span")
	d.Attr("class", class)
	d.Raw("><img")
	d.Attr("src", src)
	d.Raw(` alt=""></span>`)
	return true
}

// hasIcon reports whether iconAs writes anything.
func (s *pageWriter) hasIcon(name, style string) bool {
	return s.drawn(signKey(name, style)) || s.picture(name) != ""
}

// drawn reports whether the sheet contains an icon.
func (s *pageWriter) drawn(key string) bool { return s.signs != nil && s.signs.known[key] }

// picture returns the URL of an icon that is an image file, or "" for any other icon.
func (s *pageWriter) picture(name string) string {
	if !strings.ContainsAny(name, "/.") {
		return ""
	}
	return s.links.Address(name)
}

// icon returns the entry's icon: the one set in the navigation, or otherwise the icon of the page.
func (e *entry) icon() string {
	if e.node.Icon == "" && e.page != nil && e.node.Kind == site.KindPage {
		return e.page.Icon
	}
	return e.node.Icon
}

// iconType returns the style of the entry's icon.
func (e *entry) iconType() string {
	if e.node.Icon == "" && e.page != nil && e.node.Kind == site.KindPage {
		return e.page.Details().IconType
	}
	return e.node.Details().IconType
}

// network returns the icon of a social network. A name that it does not know is looked up unchanged among the brand
// icons.
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
