package sitereader

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// Section is the part of a page that a search found: as Markdown, with its code, when the page has it where the index
// says, else the plain text of the index.
func (l *Library) Section(ctx context.Context, h Hit) string {
	if page, err := l.Page(ctx, Address(h.Path)); err == nil && page.Path == h.Path {
		if text := sectionOf(Unled(page.Content), h.Anchor); text != "" {
			return text
		}
	}
	return h.Text
}

var pointer = regexp.MustCompile(`(?m)^All pages are listed in \[llms\.txt\]\([^)\n]*\)\.\n+`)

// Unled is a page without the line that leads programs to the list of all pages.
func Unled(content string) string {
	if at := pointer.FindStringIndex(content); at != nil {
		return content[:at[0]] + content[at[1]:]
	}
	return content
}

var heading = regexp.MustCompile(`^(#{1,6})\s+(.*?)\s*#*\s*$`)

// sectionOf is the part of a page below the heading with that anchor, up to the next heading that is not below it;
// without an anchor, what stands before the first heading but the title. "" when there is none.
func sectionOf(content, anchor string) string {
	var b strings.Builder
	var ids slug.Set
	depth, fence := 0, ""
	if anchor == "" {
		depth = 1
	}
	for line := range strings.Lines(content) {
		trimmed := strings.TrimSpace(line)
		if mark := fenceOf(trimmed); fence != "" && strings.HasPrefix(trimmed, fence) &&
			strings.Trim(trimmed, fence[:1]) == "" {
			fence = ""
		} else if fence == "" {
			fence = mark
		}
		if m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil && fence == "" {
			level, id := len(m[1]), ids.Heading(Unmarked(m[2]))
			switch {
			case level == 1: // the page's own
				continue
			case depth == 0 && id == anchor:
				depth = level
				continue
			case depth > 0 && (level <= depth || anchor == ""):
				return strings.TrimSpace(b.String())
			}
		}
		if depth > 0 {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}

// Title is the first heading of a page; "" without one.
func Title(content string) string {
	for line := range strings.Lines(content) {
		if m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			return Unmarked(m[2])
		}
	}
	return ""
}

// fenceOf is the marks that open a fence on a line; "" = none does.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

var marks = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)|[*_` + "`" + `\\]`)

// Unmarked is a heading's text as a reader sees it.
func Unmarked(s string) string { return marks.ReplaceAllString(s, "$1") }

// Shorten cuts Markdown to about n bytes, between lines and with its fences closed.
func Shorten(s string, n int) string {
	out, _ := Part(s, n)
	return out
}

// Part is Shorten, and how many bytes of s it took.
func Part(s string, n int) (text string, taken int) {
	if len(s) <= n {
		return s, len(s)
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(s) {
		if b.Len()+len(line) > n {
			if b.Len() == 0 {
				cut := n
				for cut > 0 && !utf8.RuneStart(line[cut]) {
					cut--
				}
				b.WriteString(line[:cut])
			}
			break
		}
		b.WriteString(line)
		trimmed := strings.TrimSpace(line)
		if fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
			fence = ""
		} else if fence == "" {
			fence = fenceOf(trimmed)
		}
	}
	out := strings.TrimRight(b.String(), " \n")
	if fence != "" {
		return out + "\n" + fence, b.Len()
	}
	return out + " …", b.Len()
}
