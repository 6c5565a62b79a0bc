package docsjson

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for search engines, language models and the site's search.

func (d *decoder) searchKeys() []key {
	c := d.cfg
	return []key{
		objectKey("seo", seoKeys(&c.SEO)...),
		objectKey("markdown", flagKey("schema", &c.FullSchema),
			key{name: "instructions", shape: texts(), set: func(v *jsontree.Value) { // keep line breaks
				c.AgentNote = strings.TrimSpace(strings.Join(v.Texts(), "\n"))
			}}),
		objectKey("search", textKey("prompt", &c.SearchHint), d.synonymsKey(&c.Synonyms)),
	}
}

func seoKeys(to *site.SEO) []key {
	o := &to.Organization
	return []key{
		{name: "indexing", shape: word("navigable", "all"), set: setEqual(&to.IndexAll, "all")},
		{name: "indexHiddenPages", shape: boolean(), set: func(v *jsontree.Value) {
			to.IndexAll = to.IndexAll || v.True()
		}},
		{name: "metatags", shape: open(scalar()), set: func(v *jsontree.Value) {
			to.Meta = metas(v)
			to.NoIndex = slices.ContainsFunc(to.Meta, func(m site.Meta) bool {
				return m.Name == "robots" && strings.Contains(strings.ToLower(m.Content), "noindex")
			})
		}},
		objectKey("organization",
			textKey("id", &o.ID), textKey("name", &o.Name), textKey("legalName", &o.LegalName),
			textKey("url", &o.URL), textKey("logo", &o.Logo), textsKey("sameAs", &o.SameAs)),
		flagKey("trailingSlash", &to.TrailingSlash),
	}
}

// metas returns the members of an object with their texts, in order.
func metas(v *jsontree.Value) (out []site.Meta) {
	for _, m := range v.Members {
		if text := collapse(m.Value.Text()); text != "" {
			out = append(out, site.Meta{Name: m.Key, Content: text})
		}
	}
	return out
}

var searchPhrase = lazyregexp.New(`^.{1,80}$`)

// synonymsKey returns the key for groups of words and phrases that have the same meaning.
func (d *decoder) synonymsKey(to *[][]string) key {
	one := text()
	one.form = &form{match: searchPhrase, code: "bad-value", want: "a word or phrase of 1 to 80 characters"}
	group := listOf(one)
	group.most = 20
	all := listOf(group)
	all.most = 500
	return key{name: "synonyms", shape: all, set: func(v *jsontree.Value) {
		for _, item := range v.Items {
			group := d.synonyms(item)
			if len(group) < 2 {
				d.list.Warnf(item.Pos(), "bad-value",
					`A list in "search.synonyms" must have at least two different words or phrases.`)
				continue
			}
			*to = append(*to, group)
		}
	}}
}

// synonyms decodes one group. Words that differ only in letter case count as the same word.
func (d *decoder) synonyms(v *jsontree.Value) (group []string) {
	for _, phrase := range v.Texts() {
		switch {
		case !strings.ContainsFunc(phrase, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			d.list.Warnf(v.Pos(), "bad-value", `%q in "search.synonyms" has no letter or digit to search for.`, phrase)
		case !slices.ContainsFunc(group, func(o string) bool { return strings.EqualFold(o, phrase) }):
			group = append(group, phrase)
		}
	}
	return group
}
