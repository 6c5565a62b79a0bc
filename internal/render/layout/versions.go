package layout

// Versions configures the menu of versions that come from branches and tags. The zero value means no menu.
type Versions struct {
	Name   string // name of the version that contains the page
	Script string // path in the tree
	List   string // path, in the tree, at which the server provides the list
}

// versions writes the menu. It is empty until a reader opens it and the script loads its entries, so that pages do
// not change when a version is added.
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
