package scan

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/frontmatter"
	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/openapi"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file puts what is said about a page into the model: by its front matter, or by the description that it is made from.

// head takes a page's fields. Strings of a parse result may share the page's memory; the model outlives the page, so it takes copies.
func head(p *site.Page, f frontmatter.Fields) {
	for _, t := range []struct {
		to   *string
		from string
	}{
		{&p.Title, f.Title}, {&p.SidebarTitle, f.SidebarTitle}, {&p.Description, f.Description}, {&p.Icon, f.Icon}, {&p.IconType, f.IconType},
		{&p.Tag, f.Tag}, {&p.Mode, strings.TrimPrefix(f.Mode, "default")}, {&p.External, f.URL}, {&p.Canonical, f.Canonical},
		{&p.Robots, f.Robots}, {&p.Updated, f.LastUpdated},
	} {
		*t.to = strings.Clone(t.from)
	}
	p.Keywords, p.Related, p.Groups = clone(f.Keywords), clone(f.Related), clone(f.Groups)
	for _, m := range f.Meta {
		p.Meta = append(p.Meta, site.Meta{Name: strings.Clone(m.Name), Content: strings.Clone(m.Value)})
	}
	p.Hidden, p.NoIndex, p.Deprecated, p.NoPagination = f.Hidden, f.NoIndex, f.Deprecated, f.HideFooterPagination
	p.NoMark, p.Public, p.Feed = f.HideAPIMarker, f.Public, f.RSS
	p.Unsearchable = f.Searchable != nil && !*f.Searchable
	p.Boost, p.Timestamp = f.Boost, f.Timestamp
}

func clone(list []string) (out []string) {
	for _, s := range list {
		out = append(out, strings.Clone(s))
	}
	return out
}

// metadata sets what x-mint says about a page, in the words of front matter.
func metadata(p *site.Page, key string, v *jsontree.Value) {
	value := strings.Join(strings.Fields(v.Text()), " ")
	for name, to := range map[string]*string{
		"sidebarTitle": &p.SidebarTitle, "description": &p.Description, "icon": &p.Icon, "iconType": &p.IconType, "tag": &p.Tag, "mode": &p.Mode,
		"canonical": &p.Canonical, "robots": &p.Robots, "playground": &p.API.Playground, "lastUpdatedDate": &p.Updated,
	} { // the title is part of Operation.Title
		if key == name {
			*to = value
			return
		}
	}
	for name, to := range map[string]*bool{
		"deprecated": &p.Deprecated, "hidden": &p.Hidden, "noindex": &p.NoIndex, "hideFooterPagination": &p.NoPagination,
		"hideApiMarker": &p.NoMark, "public": &p.Public,
	} {
		if key == name {
			*to = value == "true"
			return
		}
	}
	switch {
	case key == "searchable":
		p.Unsearchable = value == "false"
	case key == "boost":
		if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 && n <= 100 {
			p.Boost = n
		}
	case key == "groups":
		p.Groups = openapi.Readers(v)
	case key == "keywords":
		p.Keywords = v.Texts()
	case key == "related":
		p.Related = v.Texts()
	case strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:"):
		p.Meta = append(p.Meta, site.Meta{Name: key, Content: value})
	}
}
