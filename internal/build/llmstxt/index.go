package llmstxt

import (
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/render/markdown"
)

// Max limits llms.txt, in characters.
const Max = 100_000

// describeMax limits the description of one page, in characters.
const describeMax = 300

// Index is the content of llms.txt.
type Index struct {
	Name        string
	Description string
	Note        string // the author's note to agents: Markdown, in its own block
	Full        string // address of llms-full.txt; "" = none
	More        string // address of a list that is not truncated; "" = none
	Sections    []Section
}

// Section is a list of links under a title.
type Section struct {
	Title string
	Links []Link
}

// Link is one entry.
type Link struct{ Title, URL, Description string }

// Render returns the list. If it is too long, descriptions are shortened first, then the last pages are omitted,
// with a note.
func (x Index) Render() []byte {
	for _, limit := range []int{describeMax, 80, 0} {
		if text, all := x.with(limit); all || limit == 0 {
			return []byte(text)
		}
	}
	return nil
}

// head is everything before the sections.
func (x Index) head() string {
	head := "# " + markdown.Text(x.Name) + "\n"
	if d := shorten(x.Description, 2000); d != "" {
		head += "\n> " + markdown.Text(d) + "\n"
	}
	if note := markdown.Note(x.Note); note != "" {
		head += "\n" + note
	}
	if x.Full != "" {
		head += "\nThe text of all pages in one file: " + markdown.Link("llms-full.txt", x.Full) + "\n"
	}
	return head
}

// with returns the list with descriptions of at most limit characters. all is false if it did not fit.
func (x Index) with(limit int) (text string, all bool) {
	note := "\nThe list is truncated here.\n"
	if x.More != "" {
		note = "\nThe list is truncated here; all pages are in " + markdown.Link("the sitemap", x.More) + ".\n"
	}
	var out strings.Builder
	head := x.head()
	out.WriteString(head)
	used := utf8.RuneCountInString(head) + utf8.RuneCountInString(note)
	write := func(s string) bool {
		if used += utf8.RuneCountInString(s); used > Max {
			out.WriteString(note)
			return false
		}
		out.WriteString(s)
		return true
	}
	for _, s := range x.Sections {
		title := "\n## " + markdown.Text(s.Title) + "\n\n"
		for _, l := range s.Links {
			line := "- " + markdown.Link(l.Title, l.URL)
			if d := shorten(l.Description, limit); d != "" {
				line += ": " + markdown.Text(d)
			}
			if !write(title + line + "\n") {
				return out.String(), false
			}
			title = ""
		}
	}
	return out.String(), true
}

// shorten cuts text to at most n characters, at a word.
func shorten(text string, n int) string {
	return clip.Words(strings.Join(strings.Fields(text), " "), n)
}
