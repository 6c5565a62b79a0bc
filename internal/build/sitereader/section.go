package sitereader

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// Section is the part of a page that a search found.
type Section struct {
	Trail []string // the page's title, the headings above the part, and its own heading
	Text  string   // Markdown, with the code and the headings below; the plain text of the index if the page lacks it
	match int      // byte of Text where the line with the match begins
}

// Section reads the part of a page that a search found.
func (l *Library) Section(ctx context.Context, h Hit) Section {
	out := Section{Trail: []string{h.Title}, Text: h.Text}
	if h.Heading != "" && h.Heading != h.Title {
		out.Trail = append(out.Trail, h.Heading)
	}
	page, err := l.Page(ctx, Address(h.Path))
	if err != nil || page.Path != h.Path {
		return out
	}
	text, above := sectionOf(Unled(page.Content), h.Anchor)
	if text == "" && h.Text == "" && h.Anchor == "" { // the page begins with a heading: all of it was found
		text = untitled(Unled(page.Content))
	}
	if text == "" {
		return out
	}
	out.Text = text
	if h.Heading != "" && len(above) > 0 {
		out.Trail = slices.Concat([]string{h.Title}, above, []string{h.Heading})
	}
	out.match = locate(text, h.match())
	return out
}

// Leaf is a part of a page without its subsections.
type Leaf struct {
	Anchor string   // "" = the page's beginning
	Trail  []string // the page's title, the headings above the part, and its own heading
	Text   string   // Markdown
}

// Leaves splits a page's Markdown form at its headings.
func Leaves(content string) (out []Leaf) {
	var ids slug.Set
	path, fence := [7]string{1: Title(content)}, ""
	at, from := Leaf{Trail: []string{path[1]}}, 0
	end := func(to int) {
		if at.Text = strings.TrimSpace(content[from:to]); at.Text != "" {
			out = append(out, at)
		}
	}
	offset := 0
	for line := range strings.Lines(content) {
		begin := offset
		offset += len(line)
		trimmed := strings.TrimSpace(line)
		if mark := fenceOf(trimmed); fence != "" {
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		} else if mark != "" {
			fence = mark
			continue
		}
		m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		end(begin)
		level, text := len(m[1]), Unmarked(m[2])
		at, from = Leaf{Anchor: ids.Heading(text)}, offset
		if level == 1 {
			at.Anchor = ""
		}
		path[level] = text
		clear(path[level+1:])
		for _, h := range path[1:] {
			if h != "" {
				at.Trail = append(at.Trail, h)
			}
		}
	}
	end(len(content))
	return out
}

// Around returns about n bytes of the section: from its beginning or, if the match would be cut off, from the line
// with the match. before and after report whether text was omitted there.
func (s Section) Around(n int) (text string, before, after bool) {
	from := 0
	if s.match > n/2 && len(s.Text) > n {
		from = s.match
	}
	text, taken := Part(s.Text[from:], n)
	return text, from > 0, from+taken < len(s.Text)
}

const (
	longProbe  = 32 // number of letters and digits by which a position in a section is recognized
	shortProbe = 8  // the same for text before a link or at the end
)

// locate finds the line of a section's Markdown in which a plain text begins. Markdown and plain text differ in markup
// and addresses, so it only compares letters and digits. If there is no match, it tries again with fewer of them. It
// returns 0 if nothing matches.
func locate(section, plain string) int {
	want, _ := bare(plain)
	have, at := bare(section)
	for n := min(longProbe, len(want)); n >= shortProbe; n /= 2 {
		if found := strings.Index(have, want[:n]); found >= 0 {
			return strings.LastIndexByte(section[:at[found]], '\n') + 1
		}
	}
	return 0
}

// bare returns the ASCII letters and digits of s in lower case, with their offsets.
func bare(s string) (string, []int) {
	out, at := make([]byte, 0, len(s)), make([]int, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 {
			out, at = append(out, c), append(at, i)
		}
	}
	return string(out), at
}

var pointer = lazyregexp.New(`(?m)^All pages are listed in \[llms\.txt\]\([^)\n]*\)\.\n+`)

// Unled returns the text of a page without the line that links to the list of all pages.
func Unled(content string) string {
	if at := pointer.FindStringIndex(content); at != nil {
		return content[:at[0]] + content[at[1]:]
	}
	return content
}

var (
	listAddress = lazyregexp.New(`\[llms\.txt\]\((https?://[^)\s]*/)llms\.txt\)`)
	twinLink    = lazyregexp.New(`\]\((https?://[^)\s]+)\.md(#[^)\s]*)?\)`)
)

// Linked returns a page's Markdown form for people, with links to pages of the site instead of their Markdown
// forms. The address of the site is taken from the line that Unled removes.
func (l *Library) Linked(content string) string {
	at := listAddress.FindStringSubmatch(content)
	if at == nil {
		return content
	}
	return twinLink.ReplaceAllStringFunc(content, func(link string) string {
		m := twinLink.FindStringSubmatch(link)
		page, own := strings.CutPrefix(m[1], at[1])
		if !own || !l.Has(page) {
			return link
		}
		return "](" + Address(page) + m[2] + ")"
	})
}

var heading = lazyregexp.New(`^(#{1,6})\s+(.*?)\s*#*\s*$`)

// sectionOf returns the part of a page below the heading with the given anchor, up to the next heading that is not a
// subheading of it. Without an anchor, it returns the text between the title and the next heading. text is "" if there
// is none. above contains the headings above the part.
func sectionOf(content, anchor string) (text string, above []string) {
	var b strings.Builder
	var path [7]string // headings by level
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
				for _, h := range path[2:level] {
					if h != "" {
						above = append(above, h)
					}
				}
				continue
			case depth > 0 && (level <= depth || anchor == ""):
				return strings.TrimSpace(b.String()), above
			}
			path[level] = Unmarked(m[2])
			clear(path[level+1:])
		}
		if depth > 0 {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()), above
}

// Title returns the first heading of a page, or "".
func Title(content string) string {
	for line := range strings.Lines(content) {
		if m := heading.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			return Unmarked(m[2])
		}
	}
	return ""
}

// untitled returns a page without its title.
func untitled(content string) string {
	if first, rest, _ := strings.Cut(content, "\n"); strings.HasPrefix(first, "# ") {
		content = rest
	}
	return strings.TrimSpace(content)
}

// fenceOf returns the marks that open a fence on a line, or "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

var marks = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)|[*_` + "`" + `\\]`)

// Unmarked returns a heading's text as a reader sees it.
func Unmarked(s string) string { return marks.ReplaceAllString(s, "$1") }

// Shorten cuts Markdown to about n bytes, between lines and with its fences closed.
func Shorten(s string, n int) string {
	out, _ := Part(s, n)
	return out
}

// Part is like Shorten, and also returns the number of bytes of s that it used.
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
