package pagediff

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// piece is a tag, a word or the space between words, as written.
type piece struct {
	text string
	word bool // may be marked
}

// opaque contains elements whose text is not part of the page's words.
var opaque = map[string]bool{"script": true, "style": true, "svg": true, "math": true, "textarea": true, "select": true,
	"template": true, "noscript": true}

// pieces splits a block.
func pieces(block string) (list []piece) {
	z := html.NewTokenizer(strings.NewReader(block))
	within := 0 // number of open opaque elements
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return list
		}
		raw := string(z.Raw())
		name, _ := z.TagName()
		switch {
		case kind == html.TextToken && within == 0:
			list = append(list, words(raw)...)
			continue
		case kind == html.StartTagToken && opaque[string(name)]:
			within++
		case kind == html.EndTagToken && opaque[string(name)]:
			within--
		}
		list = append(list, piece{text: raw})
	}
}

// words splits text at its spaces, which become separate pieces.
func words(text string) (list []piece) {
	for text != "" {
		n := strings.IndexFunc(text, isSpace)
		if n == 0 {
			if n = strings.IndexFunc(text, func(r rune) bool { return !isSpace(r) }); n < 0 {
				n = len(text)
			}
			list = append(list, piece{text: text[:n]})
			text = text[n:]
			continue
		}
		if n < 0 {
			n = len(text)
		}
		list = append(list, piece{text: text[:n], word: true})
		text = text[n:]
	}
	return list
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' }

// Limits of the comparison by words. They are needed because authors are not trusted. Content beyond them is shown
// without highlighting.
const (
	maxPieces      = 100_000 // tags, words and spaces of a page
	maxBlockPieces = 4_000   // of one block
)

// markWords marks the words that are in only one of two blocks. It subtracts their number from the budget.
func markWords(before, after string, budget *int) (left, right string) {
	olds, news := pieces(before), pieces(after)
	count := len(olds) + len(news)
	if count > maxBlockPieces || count > *budget {
		return before, after
	}
	*budget -= count
	var l, r strings.Builder
	i, j := 0, 0
	for _, line := range linediff.Compare(texts(olds), texts(news)) {
		switch line.Kind {
		case '-':
			olds[i].write(&l, "del")
			i++
		case '+':
			news[j].write(&r, "ins")
			j++
		default:
			l.WriteString(line.Text)
			r.WriteString(line.Text)
			i, j = i+1, j+1
		}
	}
	return l.String(), r.String()
}

func texts(list []piece) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.text
	}
	return out
}

func (p piece) write(b *strings.Builder, tag string) {
	if p.word {
		b.WriteString("<" + tag + ">" + p.text + "</" + tag + ">")
	} else {
		b.WriteString(p.text)
	}
}

// anonymous removes the id and name attributes of a block, because the newer version of the block is on the same page.
func anonymous(block string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(block))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := string(z.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken || !strings.Contains(raw, " id=") && !strings.Contains(raw, " name=") {
			b.WriteString(raw)
			continue
		}
		t := z.Token()
		kept := t.Attr[:0]
		for _, a := range t.Attr {
			if a.Key != "id" && a.Key != "name" {
				kept = append(kept, a)
			}
		}
		t.Attr = kept
		b.WriteString(t.String())
	}
}
