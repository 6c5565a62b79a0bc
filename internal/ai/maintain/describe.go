package maintain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// Bounds of a description, in characters.
const (
	maxDescription = 160
	minSentence    = 50 // a first sentence this long stands for the paragraph
	minWords       = 4  // shorter paragraphs are labels
	maxParagraphs  = 3  // that are looked at: what comes later says no more what the page is about
)

// addDescriptions gives pages that have no description one from what they say first.
func (j *job) addDescriptions() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	return j.each(func(name string, src []byte) error {
		page := v.site.Find(v.sources[name])
		if page == nil || ofRepository(name) || page.Description != "" || page.API != nil ||
			page.Details().External != "" {
			return nil
		}
		s, ok := j.parse(name, src)
		if !ok || s.fields.Description != "" {
			return nil
		}
		text := firstWords(s.root.Children)
		if text == "" {
			j.left(name, 0, "no description", "the page does not start with a paragraph of plain text")
			return nil
		}
		out, err := write.SetField(src, "description", text)
		if err != nil {
			j.left(name, 0, "no description", err.Error())
			return nil
		}
		if ok, err := j.write(name, src, out); err != nil || !ok {
			return err
		}
		j.done(name, 0, "description: %s", text)
		return nil
	})
}

// firstWords returns what a page says first, as a description; "" when there is no paragraph that could be one.
func firstWords(nodes []ast.Node) string {
	seen := 0
	for _, n := range nodes {
		p, ok := n.(*ast.Paragraph)
		if !ok {
			continue
		}
		if seen++; seen > maxParagraphs {
			break
		}
		text, plain := plainText(p.Children)
		text = strings.Join(strings.Fields(text), " ")
		if plain && !strings.HasSuffix(text, ":") && strings.Count(text, " ")+1 >= minWords &&
			strings.ContainsFunc(text, unicode.IsLetter) {
			return shorten(text)
		}
	}
	return ""
}

// plainText returns the text of inlines; plain is false when a part of it is made by code or is a formula.
func plainText(nodes []ast.Node) (text string, plain bool) {
	var b strings.Builder
	plain = true
	ast.Walk(nodes, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(n.Value)
		case *ast.CodeSpan:
			b.WriteString(n.Value)
		case *ast.Break:
			b.WriteByte(' ')
		case *ast.Math:
			plain = false
		case *ast.Expr:
			plain = plain && comment(n.Source)
		case *ast.Element: // one without content may show anything
			plain = plain && (len(n.Children) > 0 && n.Name != "style" && n.Name != "script" || n.Name == "br" ||
				n.Name == "Icon")
		}
		return true
	})
	return b.String(), plain && !strings.Contains(b.String(), "{{")
}

// comment reports whether an expression renders nothing.
func comment(source string) bool {
	s := strings.TrimSpace(source)
	return strings.HasPrefix(s, "/*") && strings.HasSuffix(s, "*/") && strings.Count(s, "*/") == 1
}

// shorten cuts a text at the end of a sentence or, when that says too little, at the end of a word.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxDescription {
		return text
	}
	runes := []rune(text)
	for i := min(len(runes)-2, maxDescription-1); i >= minSentence; i-- {
		if strings.ContainsRune(".!?。！？", runes[i]) && (runes[i+1] == ' ' || runes[i] > 0x7f) &&
			!abbreviation(runes[:i]) {
			return string(runes[:i+1])
		}
	}
	cut := runes[:maxDescription]
	for i := maxDescription - 1; i > 0; i-- {
		if runes[i] == ' ' {
			cut = runes[:i]
			break
		}
	}
	if len(cut) == maxDescription { // a script without spaces, or one long word
		cut = runes[:maxDescription-1]
	}
	return strings.TrimRightFunc(string(cut), func(r rune) bool {
		return unicode.IsPunct(r) && !strings.ContainsRune(`)"'»”’]`, r) || unicode.IsSpace(r)
	}) + "…"
}

// abbreviation reports whether a full stop after these characters may end no sentence: e.g., i.e., a single letter.
func abbreviation(before []rune) bool {
	word := string(before[len(before)-min(len(before), 8):])
	word = strings.ToLower(word[strings.LastIndexAny(word, " (")+1:])
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "fig", "mr", "mrs", "dr":
		return true
	}
	return utf8.RuneCountInString(word) <= 1
}
