package skill

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/markdown"
)

// Site is the description of a site.
type Site struct {
	Name        string
	Description string
	Note        string // the author's words to agents
	URL         string // of the first page
	Llms        string // address of llms.txt; "" = none
	Full        string // of llms-full.txt
	Twin        string // of a page's Markdown form, as an example
	MCP         string // of the site's MCP server; "" = none
	Sections    []Section
	APIs        []Link
}

// Section is a part of the site and the first page of it.
type Section struct {
	Title string
	Pages []Link
}

// Link is a page or a file.
type Link struct{ Title, URL string }

// Name returns a skill's name in the required format: at most 64 lower-case letters, digits and hyphens.
func Name(title string) string {
	var b strings.Builder
	for _, r := range slug.Heading(title) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			r = '-'
		}
		if r == '-' && (b.Len() == 0 || strings.HasSuffix(b.String(), "-")) {
			continue
		}
		b.WriteRune(r)
		if b.Len() == 64 {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return "docs"
	}
	return name
}

// Describe returns the skill's description in one line: what it is, and when to use it.
func (s Site) Describe() string {
	what := strings.Join(strings.Fields(s.Description), " ")
	if what == "" {
		what = "Documentation of " + s.Name + "."
	}
	text := what + " Use when a task involves " + s.Name + "."
	if utf8.RuneCountInString(text) > 1000 {
		text = string([]rune(text)[:1000])
	}
	return text
}

// Limits of the list in a skill. Agents read the whole list before they read any page.
const (
	maxSections = 30
	maxPages    = 8
)

// Render writes skill.md.
func (s Site) Render() []byte {
	var b strings.Builder
	b.WriteString("---\nname: " + Name(s.Name) + "\ndescription: " + quoted(s.Describe()) + "\n---\n\n# " +
		markdown.Text(s.Name) + "\n\n")
	if s.Description != "" {
		b.WriteString(markdown.Text(s.Description) + "\n\n")
	}
	b.WriteString("## When to use this\n\nUse this documentation to answer questions about " + markdown.Text(s.Name) +
		" and to write code or configuration for it. Prefer what these pages say over what you remember.\n\n## How to read it\n\n")
	if s.Llms != "" {
		b.WriteString("- " + markdown.Link("llms.txt", s.Llms) +
			" lists all pages with a sentence about each. Start there.\n")
	}
	b.WriteString("- Every page has a Markdown form: add `.md` to its address, such as " +
		markdown.Link(s.Twin, s.Twin) + ".\n")
	if s.Full != "" {
		b.WriteString("- " + markdown.Link("llms-full.txt", s.Full) + " contains the text of all pages in one file.\n")
	}
	if s.MCP != "" {
		b.WriteString("- The MCP server at " + markdown.Link(s.MCP, s.MCP) + " searches the pages and reads them.\n")
	}
	s.note(&b)
	s.sections(&b)
	return []byte(b.String())
}

func (s Site) note(b *strings.Builder) {
	if s.Note != "" {
		b.WriteString("\n## From its authors\n\n" + markdown.Text(s.Note) + "\n")
	}
}

func (s Site) sections(b *strings.Builder) {
	for i, section := range s.Sections {
		if i == 0 {
			b.WriteString("\n## Main sections\n")
		}
		if i == maxSections {
			b.WriteString("\nThere are more; see the list of pages.\n")
			break
		}
		b.WriteString("\n### " + markdown.Text(section.Title) + "\n\n")
		for _, p := range section.Pages[:min(len(section.Pages), maxPages)] {
			b.WriteString("- " + markdown.Link(p.Title, p.URL) + "\n")
		}
	}
	for i, a := range s.APIs {
		if i == 0 {
			b.WriteString("\n## API descriptions\n\n")
		}
		b.WriteString("- " + markdown.Link(a.Title, a.URL) + "\n")
	}
}

// quoted returns a YAML string, in the syntax of JSON.
func quoted(s string) string {
	q, _ := json.Marshal(s) // a string can always be encoded
	return string(q)
}
