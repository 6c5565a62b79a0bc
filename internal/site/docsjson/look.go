package docsjson

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file decodes the appearance of pages, and metadata for search engines and language models.

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
	flagTo(v.Get("metadata").Get("timestamp"), &c.Timestamps)
	thumbs := true
	flagTo(v.Get("feedback").Get("thumbsRating"), &thumbs)
	c.NoThumbs = !thumbs
	for key, to := range map[string]*site.Asked{"suggestEdit": &c.SuggestEdit, "raiseIssue": &c.RaiseIssue} {
		if on := v.Get("feedback").Get(key); on.True() {
			*to = site.Asked{On: true, Pos: on.Pos()}
		}
	}
	missing := v.Get("errors").Get("404")
	textTo(missing.Get("title"), &c.NotFound.Title)
	textTo(missing.Get("description"), &c.NotFound.Description)
	flagTo(missing.Get("redirect"), &c.NotFound.Redirect)
	flagTo(v.Get("markdown").Get("schema"), &c.FullSchema)
	// keep line breaks
	c.AgentNote = strings.TrimSpace(strings.Join(v.Get("markdown").Get("instructions").Texts(), "\n"))
	textTo(v.Get("search").Get("prompt"), &c.SearchHint)
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
	flagTo(v.Get("trailingSlash"), &s.TrailingSlash)
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
		textTo(o.Get(key), to)
	}
	org.SameAs = o.Get("sameAs").Texts()
}
