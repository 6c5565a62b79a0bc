package layout

import "github.com/lectern-docs/lectern/internal/site"

// tabRow is one row of tabs, for one level of the path to the page.
type tabRow struct {
	tabs []*entry
	here *entry // the tab that contains the page; nil for none
}

// tabRows returns the rows. Tabs that are shown in every part of the site are added to the first row.
func (s *pageWriter) tabRows() (rows []tabRow) {
	for i, level := range s.chain {
		var row tabRow
		if i+1 < len(s.chain) && s.listed {
			row.here = s.chain[i+1]
		}
		for _, c := range s.tree.parts[level] {
			menu := c.node.Kind == site.KindMenu && level.node.Kind != site.KindTab
			if (c.node.Kind == site.KindTab || menu) && !c.node.Global && len(row.tabs) < rowMax {
				row.tabs = append(row.tabs, c)
			}
		}
		if len(row.tabs) > 0 {
			rows = append(rows, row)
		}
	}
	var global []*entry
	for _, c := range s.tree.parts[s.tree.root] {
		if c.node.Kind == site.KindTab && c.node.Global && len(global) < rowMax {
			global = append(global, c)
		}
	}
	if len(global) > 0 && len(rows) == 0 {
		return []tabRow{{tabs: global}}
	}
	if len(global) > 0 {
		rows[0].tabs = append(rows[0].tabs, global...)
	}
	return rows
}

func (s *pageWriter) tabs(rows []tabRow) {
	for _, row := range rows {
		s.d.Raw(`<nav class="nav-tabs"`)
		s.d.Attr("aria-label", s.words.Sections)
		s.d.Raw(">")
		for _, e := range row.tabs {
			if items := s.menuItems(e); len(items) > 0 {
				s.tabMenu(e, items, e == row.here)
			} else {
				s.tab(e, "nav-tabs-item", e == row.here)
			}
		}
		s.d.Raw("</nav>\n")
	}
}

func (s *pageWriter) menuItems(e *entry) (items []*entry) {
	for _, c := range s.tree.parts[e] {
		if e.node.Kind == site.KindTab && c.node.Kind == site.KindMenu && len(items) < rowMax {
			items = append(items, c)
		}
	}
	return items
}

// tab writes a link to a part of the site.
func (s *pageWriter) tab(e *entry, class string, current bool) {
	href := s.divisionHref(e)
	if href == "" {
		return
	}
	s.d.Raw("<a")
	s.d.Attr("class", class)
	s.d.Attr("href", href)
	if current {
		s.d.Raw(` aria-current="true"`)
	}
	s.active(current)
	s.d.Raw(">")
	s.icon(e.icon(), e.iconType())
	s.d.Text(divisionTitle(e))
	s.tag(e.node.Details().Tag)
	if class == "nav-tabs-item" {
		s.tabLine()
	}
	s.d.Raw("</a>")
}

// tabLine writes the line below a tab. It is an element because authors' CSS colours it.
func (s *pageWriter) tabLine() { s.d.Raw("<div></div>") }

// tabMenu writes a tab with a menu of the parts below it.
func (s *pageWriter) tabMenu(e *entry, items []*entry, current bool) {
	s.d.Raw(`<details class="menu nav-tabs-item"><summary class="nav-dropdown-trigger"`)
	if current {
		s.d.Raw(` aria-current="true"`)
	}
	s.d.Raw(">")
	s.icon(e.icon(), e.iconType())
	s.d.Text(divisionTitle(e))
	s.tag(e.node.Details().Tag)
	s.tabLine()
	s.d.Raw(`</summary><div class="panel nav-dropdown-content">`)
	for _, item := range items {
		href := s.divisionHref(item)
		if href == "" {
			continue
		}
		s.d.Raw(`<a class="nav-dropdown-item"`)
		s.d.Attr("href", href)
		if s.listed && item.holds(s.at.entry) {
			s.d.Raw(` aria-current="true"`)
			s.active(true)
		}
		s.d.Raw(">")
		s.face(item)
		s.d.Raw("</a>")
	}
	s.d.Raw("</div></details>")
}
