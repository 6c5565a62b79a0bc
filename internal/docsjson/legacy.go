package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// legacyMember reads the keys that only mint.json has.
func (d *decoder) legacyMember(m member) bool {
	c := d.cfg
	switch m.key {
	case "topbarLinks":
		c.Navbar.Links = append(c.Navbar.Links, d.links(m.key, m.val)...)
	case "topbarCtaButton":
		if d.is(m.key, m.val, object) {
			if l := d.link(m.key, m.val); l.Href != "" {
				c.Navbar.Primary = &l
			}
		}
	case "footerSocials":
		c.Footer.Socials = d.socials(m.val)
	case "anchors":
		for _, l := range d.links(m.key, m.val) {
			if strings.Contains(l.Href, "://") { // others name a folder whose groups stand in navigation already
				c.Nav = append(c.Nav, &site.Node{Kind: site.KindAnchor, Title: l.Label, Href: l.Href, Icon: l.Icon, Pos: m.pos})
			}
		}
	case "openapi":
		if s, ok := d.source(m.key, m.val, false); ok {
			c.API.Sources = append(c.API.Sources, s)
		}
	case "tabs":
		for _, l := range d.links(m.key, m.val) {
			if strings.Contains(l.Href, "://") {
				c.Nav = append(c.Nav, &site.Node{Kind: site.KindTab, Title: l.Label, Href: l.Href, Pos: m.pos})
			}
		}
	default:
		return strings.Contains(silentLegacy, " "+m.key+" ")
	}
	return true
}
