package layout

// Versions configures the menu of a site's versions that come from branches and tags. With the zero value there is none.
type Versions struct {
	Name   string // of the version that the page belongs to
	Script string // path in the tree
	List   string // path in the tree at which the server has the list
}

// versions writes the menu. It has no entries until a reader opens it and the script loads them: a page does not change
// when a version is added.
func (s *pageWriter) versions() {
	v, d := &s.assets.Versions, s.d
	if v.Name == "" {
		return
	}
	d.Raw(`<details class="switch" data-kind="version"`)
	d.Attr("data-versions", s.links.File(v.List))
	d.Raw("><summary")
	d.Attr("aria-label", s.words.Version+": "+v.Name)
	d.Raw(`><span class="face">`)
	d.Text(v.Name)
	d.Raw(`</span></summary><div class="panel" data-reload></div></details>` + "\n")
}

// versionScript loads the script of the menu.
func (s *pageWriter) versionScript() {
	if s.assets.Versions.Script == "" {
		return
	}
	s.d.Raw("<script defer")
	s.d.Attr("src", s.links.File(s.assets.Versions.Script))
	s.d.Raw("></script>\n")
}
