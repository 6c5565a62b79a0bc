package docsjson

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file decodes the appearance of pages, and metadata for search engines and language models.

func (d *decoder) look(v *jsontree.Value) {
	c := d.cfg
	d.colors(v.Get("colors"))
	if logo := v.Get("logo"); logo != nil {
		p := pair(logo)
		c.Logo = site.Logo{Light: p.Light, Dark: p.Dark}
		setText(logo.Get("href"), &c.Logo.Href)
	}
	c.Favicon = pair(v.Get("favicon"))
	setText(v.Get("appearance").Get("default"), &c.Appearance.Default)
	setFlag(v.Get("appearance").Get("strict"), &c.Appearance.Strict)
	d.fonts(v.Get("fonts"))
	setText(v.Get("icons").Get("library"), &c.IconLibrary)
	bg := v.Get("background")
	setText(bg.Get("decoration"), &c.Background.Decoration)
	c.Background.Color, c.Background.Image = colorPair(bg.Get("color")), pair(bg.Get("image"))
	d.styling(v.Get("styling"))
	t := v.Get("thumbnails")
	setText(t.Get("appearance"), &c.Thumbnail.Appearance)
	setText(t.Get("background"), &c.Thumbnail.Background)
	setText(t.Get("fonts").Get("family"), &c.Thumbnail.Font)
	if deep := v.Get("interaction").Get("drilldown"); deep.Is(jsontree.Bool) {
		on := deep.True()
		c.Drilldown = &on
	}
}

func (d *decoder) colors(v *jsontree.Value) {
	c := &d.cfg.Colors
	setText(v.Get("primary"), &c.Primary)
	setText(v.Get("light"), &c.Light)
	setText(v.Get("dark"), &c.Dark)
	c.Primary, c.Light, c.Dark = strings.ToLower(c.Primary), strings.ToLower(c.Light), strings.ToLower(c.Dark)
}

// fonts decodes one typeface for all text, and those for headings and for the rest, which replace it completely.
func (d *decoder) fonts(v *jsontree.Value) {
	all := font(v)
	f := &d.cfg.Fonts
	f.Heading, f.Body = all, all
	if h := v.Get("heading"); h.Is(jsontree.Object) {
		f.Heading = font(h)
	}
	if b := v.Get("body"); b.Is(jsontree.Object) {
		f.Body = font(b)
	}
}

func font(v *jsontree.Value) (f site.Font) {
	setText(v.Get("family"), &f.Family)
	setText(v.Get("source"), &f.Source)
	setText(v.Get("format"), &f.Format)
	var weight float64
	setNumber(v.Get("weight"), &weight)
	if weight >= 1 && weight <= 1000 {
		f.Weight = int(weight)
	}
	return f
}

func (d *decoder) styling(v *jsontree.Value) {
	s := &d.cfg.Styling
	s.Breadcrumbs = v.Get("eyebrows").Text() == "breadcrumbs"
	if math := v.Get("latex"); math.Is(jsontree.Bool) {
		s.NoMath = !math.True()
	}
	if images := v.Get("responsiveImages"); images.Is(jsontree.Bool) {
		s.OriginalImages = !images.True()
	}
	code := v.Get("codeblocks")
	if code.Is(jsontree.String) {
		s.CodeTheme = pair(code)
	} else {
		s.CodeTheme = pair(code.Get("theme"))
	}
}

// machines decodes the settings for search engines, language models and the site's search.
func (d *decoder) machines(v *jsontree.Value) {
	c := d.cfg
	if vars := v.Get("variables"); vars.Is(jsontree.Object) {
		c.Variables = map[string]string{}
		for _, m := range vars.Members {
			if m.Value.Kind != jsontree.Null {
				c.Variables[m.Key] = m.Value.Text()
			}
		}
	}
	setFlag(v.Get("metadata").Get("timestamp"), &c.Timestamps)
	thumbs := true
	setFlag(v.Get("feedback").Get("thumbsRating"), &thumbs)
	c.NoThumbs = !thumbs
	for key, to := range map[string]*site.Asked{"suggestEdit": &c.SuggestEdit, "raiseIssue": &c.RaiseIssue} {
		if on := v.Get("feedback").Get(key); on.True() {
			*to = site.Asked{On: true, Pos: on.Pos()}
		}
	}
	missing := v.Get("errors").Get("404")
	setText(missing.Get("title"), &c.NotFound.Title)
	setText(missing.Get("description"), &c.NotFound.Description)
	setFlag(missing.Get("redirect"), &c.NotFound.Redirect)
	setFlag(v.Get("markdown").Get("schema"), &c.FullSchema)
	// keep line breaks
	c.AgentNote = strings.TrimSpace(strings.Join(v.Get("markdown").Get("instructions").Texts(), "\n"))
	setText(v.Get("search").Get("prompt"), &c.SearchHint)
	d.synonyms(v.Get("search").Get("synonyms"))
	d.integrations(v.Get("integrations"))
	d.allow(v.Get("security").Get("allow"))
	d.seo(v.Get("seo"))
}

// synonyms decodes the groups of words that mean the same in the site's search.
func (d *decoder) synonyms(v *jsontree.Value) {
	if !v.Is(jsontree.List) {
		return
	}
	for _, item := range v.Items {
		var group []string
		for _, phrase := range item.Texts() {
			switch {
			case !strings.ContainsFunc(phrase, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
				d.list.Warnf(item.Pos(), "bad-value", `%q in "search.synonyms" has no letter or digit to search for.`,
					phrase)
			case !slices.ContainsFunc(group, func(o string) bool { return strings.EqualFold(o, phrase) }):
				group = append(group, phrase)
			}
		}
		if len(group) < 2 {
			d.list.Warnf(item.Pos(), "bad-value",
				`A list in "search.synonyms" must have at least two different words or phrases.`)
			continue
		}
		d.cfg.Synonyms = append(d.cfg.Synonyms, group)
	}
}

func (d *decoder) seo(v *jsontree.Value) {
	s := &d.cfg.SEO
	s.IndexAll = v.Get("indexing").Text() == "all" || v.Get("indexHiddenPages").True()
	setFlag(v.Get("trailingSlash"), &s.TrailingSlash)
	s.Meta = metas(v.Get("metatags"))
	for _, m := range s.Meta {
		if m.Name == "robots" && strings.Contains(strings.ToLower(m.Content), "noindex") {
			s.NoIndex = true
		}
	}
	o := v.Get("organization")
	org := &s.Organization
	for key, to := range map[string]*string{
		"id": &org.ID, "name": &org.Name, "legalName": &org.LegalName, "url": &org.URL, "logo": &org.Logo,
	} {
		setText(o.Get(key), to)
	}
	org.SameAs = o.Get("sameAs").Texts()
}
