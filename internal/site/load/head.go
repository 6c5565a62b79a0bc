package load

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// This file copies the metadata of a page into the model, from its front matter or from the API description that it
// is generated from.

// head copies a page's fields. It also copies the strings: parse results may share the page's memory, and the model
// lives longer than that.
func head(p *site.Page, f frontmatter.Fields, t *texts) {
	more := site.PageDetails{Timestamp: f.Timestamp}
	for _, c := range []struct {
		to   *string
		from string
	}{
		{&p.Title, f.Title}, {&p.SidebarTitle, f.SidebarTitle}, {&p.Description, f.Description}, {&p.Icon, f.Icon},
		{&more.IconType, f.IconType},
		{&more.Tag, f.Tag}, {&more.Mode, strings.TrimPrefix(f.Mode, "default")}, {&more.External, f.URL},
		{&more.Canonical, f.Canonical},
		{&more.Robots, f.Robots}, {&more.Updated, f.LastUpdated},
	} {
		if c.from != "" {
			*c.to = t.keep(c.from)
		}
	}
	more.Keywords, more.Related, more.Groups = t.keepAll(f.Keywords), t.keepAll(f.Related), t.keepAll(f.Groups)
	for _, m := range f.Meta {
		more.Meta = append(more.Meta, site.Meta{Name: t.keep(m.Name), Content: t.keep(m.Value)})
	}
	if f.Public != nil {
		p.Public, more.NotPublic = *f.Public, !*f.Public
	}
	p.SetDetails(more)
	p.Hidden, p.NoIndex, p.Deprecated, p.NoPagination = f.Hidden, f.NoIndex, f.Deprecated, f.HideFooterPagination
	p.NoMark, p.Feed = f.HideAPIMarker, f.RSS
	p.Unsearchable = f.Searchable != nil && !*f.Searchable
	p.Boost = f.Boost
}

// metadata applies a key of x-mint, which has the same fields as front matter.
func metadata(p *site.Page, key string, v *jsontree.Value) {
	value := strings.Join(strings.Fields(v.Text()), " ")
	more := p.Details()
	defer func() { p.SetDetails(more) }()
	for name, to := range map[string]*string{
		"sidebarTitle": &p.SidebarTitle, "description": &p.Description, "icon": &p.Icon, "iconType": &more.IconType,
		"tag": &more.Tag, "mode": &more.Mode,
		"canonical": &more.Canonical, "robots": &more.Robots, "playground": &p.API.Playground,
		"lastUpdatedDate": &more.Updated,
	} { // no title: it is part of Operation.Title
		if key == name {
			*to = value
			return
		}
	}
	for name, to := range map[string]*bool{
		"deprecated": &p.Deprecated, "hidden": &p.Hidden, "noindex": &p.NoIndex,
		"hideFooterPagination": &p.NoPagination,
		"hideApiMarker":        &p.NoMark,
	} {
		if key == name {
			*to = value == "true"
			return
		}
	}
	switch {
	case key == "public":
		p.Public, more.NotPublic = value == "true", value == "false"
	case key == "searchable":
		p.Unsearchable = value == "false"
	case key == "boost":
		if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 && n <= 100 {
			p.Boost = n
		}
	case key == "groups":
		more.Groups = openapi.Readers(v)
	case key == "keywords":
		more.Keywords = v.Texts()
	case key == "related":
		more.Related = v.Texts()
	case strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:"):
		more.Meta = append(more.Meta, site.Meta{Name: key, Content: value})
	}
}
