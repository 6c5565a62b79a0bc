package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// knownLegacy are the keys that only the older form has.
var knownLegacy = []string{"topbarLinks", "topbarCtaButton", "footerSocials", "anchors", "openapi", "tabs"}

// silentLegacy are those of its keys that mean nothing to this reader.
var silentLegacy = []string{
	"modeToggle", "topAnchor", "analytics", "feedback", "versions", "font", "layout", "sidebar", "primaryTab", "backgroundImage", "rounded",
	"isWhiteLabeled", "eyebrow", "codeBlock", "topbar", "customCSS", "customJS",
}

// legacyMember reads the keys that only mint.json has.
func (d *decoder) legacyMember(m jsontree.Member) bool {
	c := d.cfg
	switch m.Key {
	case "topbarLinks":
		c.Navbar.Links = append(c.Navbar.Links, d.links(m.Key, m.Value)...)
	case "topbarCtaButton":
		if d.is(m.Key, m.Value, jsontree.Object) {
			if l := d.link(m.Key, m.Value); l.Href != "" {
				c.Navbar.Primary = &l
			}
		}
	case "footerSocials":
		c.Footer.Socials = d.socials(m.Value)
	case "anchors":
		for _, l := range d.links(m.Key, m.Value) {
			if strings.Contains(l.Href, "://") { // others name a folder whose groups stand in navigation already
				c.Nav = append(c.Nav, &site.Node{Kind: site.KindAnchor, Title: l.Label, Href: l.Href, Icon: l.Icon, Pos: m.Pos()})
			}
		}
	case "openapi":
		if s, ok := d.source(m.Key, m.Value, false); ok {
			c.Specs.Sources = append(c.Specs.Sources, s)
		}
	case "tabs":
		for _, l := range d.links(m.Key, m.Value) {
			if strings.Contains(l.Href, "://") {
				c.Nav = append(c.Nav, &site.Node{Kind: site.KindTab, Title: l.Label, Href: l.Href, Pos: m.Pos()})
			}
		}
	default:
		return slices.Contains(silentLegacy, m.Key)
	}
	return true
}
