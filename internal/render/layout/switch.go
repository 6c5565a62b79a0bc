package layout

import (
	"cmp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// level returns the divisions of a kind that the reader can choose from: the division that contains the page and its
// siblings, and divisions that are shown in every part of the site. here is the division that contains the page, or
// nil.
func (s *pageWriter) level(kind site.Kind) (here *entry, all []*entry) {
	for i, level := range s.chain {
		if i+1 < len(s.chain) && s.chain[i+1].node.Kind == kind {
			here = s.chain[i+1]
			all = nil
		}
		for _, c := range s.tree.parts[level] {
			if c.node.Kind == kind && !c.node.Global && len(all) < rowMax && (here == nil || here.parent == level) {
				all = append(all, c)
			}
		}
	}
	for _, c := range s.tree.parts[s.tree.root] {
		if c.node.Kind == kind && c.node.Global && len(all) < rowMax {
			all = append(all, c)
		}
	}
	return here, all
}

// switcher writes a menu of divisions, labelled with the division that contains the page. It writes nothing if there is
// no choice.
func (s *pageWriter) switcher(kind site.Kind, name string) {
	here, all := s.level(kind)
	if len(all) == 0 || len(all) == 1 && all[0] == here {
		return
	}
	face := here
	for _, e := range all {
		if face == nil && e.node.Default {
			face = e
		}
	}
	if face == nil {
		face = all[0]
	}
	d := s.d
	d.Raw(`<details class="switch"`)
	d.Attr("data-kind", kind.String())
	part := "nav-dropdown"
	if kind == site.KindProduct {
		part = "nav-dropdown-products-selector"
	}
	d.Raw("><summary")
	d.AttrIf("class", s.authorName(part+"-trigger"))
	if kind == site.KindLanguage && !s.again {
		s.id("localization-select-trigger")
	}
	if kind == site.KindLanguage || kind == site.KindVersion {
		d.Attr("aria-label", name+": "+divisionTitle(face))
	}
	d.Raw(">")
	if kind == site.KindLanguage {
		d.Raw(
			`<svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 9c-2.5-2.6-3.8-5.6-3.8-9S9.5 5.6 12 3z"/></svg>`)
	}
	s.face(face)
	d.Raw("</summary><div")
	d.Attr("class", strings.TrimSpace("panel "+s.authorName(part+"-content")))
	if kind == site.KindLanguage && !s.again {
		s.id("localization-select-content")
	}
	d.Raw(">")
	for _, e := range all {
		s.choice(e, here, s.authorName(part+"-item"))
	}
	d.Raw("</div></details>\n")
}

// authorName returns a class for authors' CSS, or "" if the same menu is already on the page. The classes are written
// for each row, and sites have many versions, so repeating them would be expensive.
func (s *pageWriter) authorName(class string) string {
	if s.again {
		return ""
	}
	return class
}

// itemName returns the classes for authors' CSS on a part of an entry. Entries of the product menu have additional
// classes.
func (s *pageWriter) itemName(e *entry, part string) string {
	class := "nav-dropdown-item-" + part
	if e.node.Kind == site.KindProduct {
		class += " nav-dropdown-products-selector-item-" + part
	}
	return s.authorName(class)
}

// face writes the visible part of a division: icon, title, tag and description.
func (s *pageWriter) face(e *entry) {
	s.iconAs(s.itemName(e, "icon"), e.icon(), e.iconType())
	s.d.Raw("<span")
	s.d.Attr("class", strings.TrimSpace("face "+s.authorName("nav-dropdown-item-text-container")))
	s.d.Raw("><span")
	s.d.AttrIf("class", s.itemName(e, "title"))
	s.d.Raw(">")
	s.d.Text(divisionTitle(e))
	s.d.Raw("</span>")
	more := e.node.Details()
	s.tag(more.Tag)
	if more.Text != "" {
		s.d.Raw("<small")
		s.d.AttrIf("class", s.itemName(e, "description"))
		s.d.Raw(">")
		s.d.Text(more.Text)
		s.d.Raw("</small>")
	}
	s.d.Raw("</span>")
}

func (s *pageWriter) tag(text string) {
	if text != "" {
		s.d.Raw(` <span class="tag nav-tag-pill"><span class="nav-tag-pill-text">`)
		s.d.Text(text)
		s.d.Raw("</span></span>")
	}
}

// choice writes one row of a menu of divisions. It links to the same page in that division if there is one, otherwise
// to the division's first page.
func (s *pageWriter) choice(e, here *entry, class string) {
	href := ""
	if e == here {
		href = s.links.Page(s.p.Page.Path, "")
		if !s.listed {
			href = s.divisionHref(e)
		}
	} else if page := s.counterpart(here, e); page != "" {
		href = s.links.Page(page, "")
	} else {
		href = s.divisionHref(e)
	}
	if href == "" {
		return
	}
	s.d.Raw("<a")
	s.d.AttrIf("class", class)
	s.d.Attr("href", href)
	s.active(e == here)
	if e.node.Kind == site.KindLanguage {
		s.d.Attr("lang", i18n.Tag(e.node.Title))
		s.d.Attr("hreflang", i18n.Tag(e.node.Title))
	}
	if e == here {
		s.d.Raw(` aria-current="true"`)
	}
	s.d.Raw(">")
	s.face(e)
	s.d.Raw("</a>")
}

// divisionHref returns the URL of a part of the site: its first page, or otherwise its link. It returns "" if the URL
// must not be written.
func (s *pageWriter) divisionHref(e *entry) string {
	if page := cmp.Or(e.own, e.first); page != "" {
		return s.links.Page(page, "")
	}
	return s.links.Address(e.node.Href)
}

// counterpart returns the path of the same page in another version or language, or "". That path differs only in the
// folder that is named after the version or language, or that contains all of its pages.
func (s *pageWriter) counterpart(here, there *entry) string {
	if here == nil || !s.listed {
		return ""
	}
	if k := here.node.Kind; k != site.KindLanguage && k != site.KindVersion {
		return ""
	}
	return site.Counterpart(s.p.Page.Path, here.division(), there.division(), func(name string) bool {
		at := s.tree.at(name)
		return at != nil && there.holds(at.entry) && !at.entry.page.Hidden
	})
}

func (e *entry) division() site.Division { return site.Division{Name: e.node.Title, Folder: e.folder} }

func divisionTitle(e *entry) string {
	if e.node.Kind == site.KindLanguage {
		return i18n.Name(e.node.Title)
	}
	return e.title()
}
