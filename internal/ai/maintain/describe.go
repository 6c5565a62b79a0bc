package maintain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// Limits for a description.
const (
	maxDescription = 160 // characters
	minSentence    = 50  // characters: a first sentence of this length is enough without the rest
	minWords       = 4   // shorter paragraphs are labels
	maxParagraphs  = 3   // paragraphs considered: later ones say little about the page as a whole
	minTopics      = 2   // minimum number of headings for a description made of headings
)

// addDescriptions adds a description to pages without one, made from their headings or a later paragraph. It never
// uses the first paragraph: a page shows its description right above it, so readers would read the same sentence
// twice.
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
		text := descriptionOf(s.root.Children)
		if text == "" {
			j.left(name, 0, "no description",
				"it has neither headings nor a second paragraph to make one from, and a description must not repeat the first paragraph")
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

// descriptionOf returns a description made from a page's headings or from its second or third paragraph, or "" if it
// has neither.
func descriptionOf(nodes []ast.Node) string {
	var topics, later []string
	first := true
	level := 0 // level of the listed headings: that of the first one
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Heading:
			if text, plain := plainText(n.Children); plain && n.Level > 1 && (level == 0 || n.Level == level) {
				level = n.Level
				topics = append(topics, strings.TrimRight(strings.Join(strings.Fields(text), " "), ".:"))
			}
		case *ast.Paragraph:
			text, plain := plainText(n.Children)
			text = strings.Join(strings.Fields(text), " ")
			if !first && plain && !strings.HasSuffix(text, ":") && strings.Count(text, " ")+1 >= minWords &&
				strings.ContainsFunc(text, unicode.IsLetter) && len(later) < maxParagraphs-1 {
				later = append(later, text)
			}
			first = first && text == ""
		}
	}
	if text := topicList(topics); text != "" {
		return text
	}
	if len(later) > 0 {
		return shorten(later[0])
	}
	return ""
}

// topicList lists as many headings as fit into a description. It returns "" if these are too few.
func topicList(topics []string) string {
	for n := min(len(topics), 6); n >= minTopics; n-- {
		text := "Covers " + strings.Join(topics[:n-1], ", ") + " and " + topics[n-1] + "."
		if n < len(topics) {
			text = "Covers " + strings.Join(topics[:n], ", ") + " and more."
		}
		if utf8.RuneCountInString(text) <= maxDescription {
			return text
		}
	}
	return ""
}

// plainText returns the text of inline nodes; plain is false if a part of it is computed by code or is a formula.
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
		case *ast.Element: // an element without content may render anything
			plain = plain && (len(n.Children) > 0 && n.Name != "style" && n.Name != "script" || n.Name == "br" ||
				n.Name == "Icon")
		}
		return true
	})
	return b.String(), plain && !strings.Contains(b.String(), "{{")
}

// comment reports whether an expression is a comment, which renders nothing.
func comment(source string) bool {
	s := strings.TrimSpace(source)
	return strings.HasPrefix(s, "/*") && strings.HasSuffix(s, "*/") && strings.Count(s, "*/") == 1
}

// shorten cuts a text at the end of a sentence or, if that is too short, at the end of a word.
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

// abbreviation reports whether a full stop after these characters may belong to an abbreviation: e.g., i.e., a
// single letter.
func abbreviation(before []rune) bool {
	word := string(before[len(before)-min(len(before), 8):])
	word = strings.ToLower(word[strings.LastIndexAny(word, " (")+1:])
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "fig", "mr", "mrs", "dr":
		return true
	}
	return utf8.RuneCountInString(word) <= 1
}
