package assistant

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// passage is a part of a page that an answer may use and cite.
type passage struct {
	number int
	page   string // "guides/start"
	anchor string
	title  string // of the page, then of the part
	text   string // Markdown
	from   int    // byte of the page that it begins with, where a page is read in parts
	fit    float64
}

// path is where it stands, as readers see it.
func (p passage) path() string {
	u := url.URL{Path: sitereader.Address(p.page), Fragment: p.anchor}
	return u.String()
}

const maxPassage = 2_400 // bytes

// fromHit is the part of a page that a search found: as Markdown, with its code, when the page has it where the index
// says.
func fromHit(ctx context.Context, l *sitereader.Library, h sitereader.Hit) passage {
	p := passage{page: h.Path, anchor: h.Anchor, title: h.Title}
	if h.Heading != "" && h.Heading != h.Title {
		p.title += " › " + h.Heading
	}
	if page, err := l.Page(ctx, sitereader.Address(h.Path)); err == nil && page.Path == h.Path {
		p.text = section(unled(page.Content), h.Anchor)
	}
	if p.text == "" {
		p.text = h.Text
	}
	p.text = guard.Clean(shorten(p.text, maxPassage))
	return p
}

var pointer = regexp.MustCompile(`(?m)^All pages are listed in \[llms\.txt\]\([^)\n]*\)\.\n+`)

// unled is a page without the line that leads programs to the list of all pages.
func unled(content string) string {
	if at := pointer.FindStringIndex(content); at != nil {
		return content[:at[0]] + content[at[1]:]
	}
	return content
}

var heading = regexp.MustCompile(`^(#{1,6})\s+(.*?)\s*#*\s*$`)

// section is the part of a page below the heading with that anchor, up to the next heading that is not below it;
// without an anchor, what stands before the first heading but the title. "" when there is none.
func section(content, anchor string) string {
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
			level, id := len(m[1]), ids.Heading(unmarked(m[2]))
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

// unmarked is a heading's text as a reader sees it.
func unmarked(s string) string { return marks.ReplaceAllString(s, "$1") }

// shorten cuts Markdown to about n bytes, between lines and with its fences closed.
func shorten(s string, n int) string {
	out, _ := part(s, n)
	return out
}

// part is shorten, and how many bytes of s it took.
func part(s string, n int) (text string, taken int) {
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
