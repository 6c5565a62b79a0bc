package sitebuild

import (
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/site"
)

// llmsMax bounds llms.txt, in characters.
const llmsMax = 100_000

// llms is the list of pages for language models: navigation order, with links to the Markdown forms. When it grows too long,
// descriptions go first, then the last pages, with a note.
func (b *builder) llms() []byte {
	head := "# " + b.site.Name + "\n\n"
	if b.site.Description != "" {
		head += "> " + b.site.Description + "\n\n"
	}
	head += "## Docs\n\n"
	pages := b.inOrder()
	for _, limit := range []int{300, 80, 0} {
		if text, all := b.llmsWith(head, pages, limit); all || limit == 0 {
			return []byte(text)
		}
	}
	return []byte(head)
}

// llmsWith writes the list with descriptions of at most limit characters. all is false when it did not fit.
func (b *builder) llmsWith(head string, pages []*entry, limit int) (text string, all bool) {
	const note = "\nMore pages are in the sitemap.\n"
	var out strings.Builder
	out.WriteString(head)
	used := utf8.RuneCountInString(head) + len(note)
	for _, e := range pages {
		line := "- [" + markdownText(e.page.Title) + "](" + b.table.Public(link.Twin(e.page.Path)) + ")"
		description := e.page.Description
		if description == "" {
			description = e.lead
		}
		if runes := []rune(description); len(runes) > limit {
			description = strings.TrimSpace(string(runes[:limit]))
		}
		if description != "" {
			line += ": " + description
		}
		line += "\n"
		if used += utf8.RuneCountInString(line); used > llmsMax {
			out.WriteString(note)
			return out.String(), false
		}
		out.WriteString(line)
	}
	return out.String(), true
}

// inOrder is the pages that may be listed: as in navigation, then the rest.
func (b *builder) inOrder() (out []*entry) {
	byPath := make(map[string]*entry, len(b.entries))
	for i := range b.entries {
		if e := &b.entries[i]; e.page.Indexed(b.site.SEO.IndexAll) {
			byPath[e.page.Path] = e
		}
	}
	take := func(path string) {
		if e := byPath[path]; e != nil {
			out = append(out, e)
			delete(byPath, path)
		}
	}
	site.Walk(b.site.Nav, func(n *site.Node) bool {
		take(n.Page)
		return true
	})
	for i := range b.entries {
		take(b.entries[i].page.Path)
	}
	return out
}

func markdownText(s string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`).Replace(s)
}
