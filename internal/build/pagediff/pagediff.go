package pagediff

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Sheet is the style sheet of marked pages.
const Sheet = `.change-row{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-block:1rem}
.change-row>*{min-width:0;padding-inline:.75rem;border-inline-start:4px solid;overflow-x:auto}
.change-old{border-color:#d1242f;background:color-mix(in srgb,#d1242f 7%,transparent)}
.change-new{border-color:#1a7f37;background:color-mix(in srgb,#1a7f37 7%,transparent)}
.change-none{border-color:transparent}
.change-old del{background:color-mix(in srgb,#d1242f 25%,transparent);text-decoration:line-through}
.change-new ins{background:color-mix(in srgb,#1a7f37 25%,transparent);text-decoration:none}
@media (max-width:60rem){.change-row{grid-template-columns:1fr}.change-none{display:none}}
`

// Mark returns the document after with the text of both documents. Blocks that are in only one of them are shown
// side by side, before on the left, with differing words highlighted. sheet is the address of Sheet. ok is false if
// a document has no text, or both have the same text.
func Mark(before, after []byte, sheet string) (marked []byte, ok bool) {
	from, to, found := textOf(after)
	oldFrom, oldTo, foundOld := textOf(before)
	if !found || !foundOld || bytes.Equal(before[oldFrom:oldTo], after[from:to]) {
		return nil, false
	}
	var b bytes.Buffer
	headEnd := bytes.Index(after, []byte("</head>"))
	if headEnd < 0 || headEnd > from {
		return nil, false
	}
	b.Write(after[:headEnd])
	b.WriteString(`<link rel="stylesheet" href="` + html.EscapeString(sheet) + `">`)
	b.Write(after[headEnd:from])
	writeRows(&b, linediff.Compare(blocks(before[oldFrom:oldTo]), blocks(after[from:to])))
	b.Write(after[to:])
	return b.Bytes(), true
}

// textOf returns where the page's text starts and ends in its document. The text is the content of one of the layout's
// elements.
func textOf(doc []byte) (from, to int, ok bool) {
	z, at, depth := html.NewTokenizer(bytes.NewReader(doc)), 0, 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return 0, 0, false
		}
		start := at
		at += len(z.Raw())
		if kind != html.StartTagToken && kind != html.EndTagToken {
			continue
		}
		t := z.Token()
		switch {
		case from == 0:
			if kind == html.StartTagToken && t.Data == "div" && hasClass(t, "mdx-content") {
				from, depth = at, 1
			}
		case void[t.Data]:
		case kind == html.StartTagToken:
			depth++
		default:
			if depth--; depth == 0 {
				return from, start, true
			}
		}
	}
}

// blocks splits HTML into its top-level elements and the text between them.
func blocks(text []byte) (list []string) {
	z, at, start, depth := html.NewTokenizer(bytes.NewReader(text)), 0, 0, 0
	cut := func() {
		if block := strings.TrimSpace(string(text[start:at])); block != "" {
			list = append(list, block)
		}
		start = at
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			at = len(text)
			cut()
			return list
		}
		size := len(z.Raw())
		name, _ := z.TagName()
		switch {
		case kind == html.StartTagToken && !void[string(name)]:
			if depth == 0 {
				cut()
			}
			depth++
		case kind == html.EndTagToken && !void[string(name)]:
			depth--
		}
		if at += size; depth == 0 && kind == html.EndTagToken {
			cut()
		}
	}
}

// void contains the elements without an end tag.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true,
	"input": true, "link": true, "meta": true, "source": true, "track": true, "wbr": true}

func hasClass(t html.Token, name string) bool {
	for _, a := range t.Attr {
		if a.Key == "class" {
			for one := range strings.FieldsSeq(a.Val) {
				if one == name {
					return true
				}
			}
		}
	}
	return false
}

// writeRows writes unchanged blocks as they are. In each change, it writes the nth removed block next to the nth added
// one.
func writeRows(b *bytes.Buffer, lines []linediff.Line) {
	budget := maxPieces
	for i := 0; i < len(lines); {
		if lines[i].Kind == ' ' {
			b.WriteString(lines[i].Text + "\n")
			i++
			continue
		}
		var olds, news []string
		for ; i < len(lines) && lines[i].Kind != ' '; i++ {
			if lines[i].Kind == '-' {
				olds = append(olds, lines[i].Text)
			} else {
				news = append(news, lines[i].Text)
			}
		}
		for n := range max(len(olds), len(news)) {
			b.WriteString(`<div class="change-row">`)
			switch {
			case n >= len(news):
				b.WriteString(`<div class="change-old">` + anonymous(olds[n]) + `</div><div class="change-none"></div>`)
			case n >= len(olds):
				b.WriteString(`<div class="change-none"></div><div class="change-new">` + news[n] + `</div>`)
			default:
				left, right := markWords(anonymous(olds[n]), news[n], &budget)
				b.WriteString(`<div class="change-old">` + left + `</div><div class="change-new">` + right + `</div>`)
			}
			b.WriteString("</div>\n")
		}
	}
}
