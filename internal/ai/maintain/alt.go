package maintain

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// addAltText adds alt text, derived from the file name, to images that have none.
func (j *job) addAltText() error {
	return j.each(func(name string, src []byte) error {
		s, ok := j.parse(name, src)
		if !ok {
			return nil
		}
		var edits []write.Edit
		ast.Walk(s.root.Children, func(n ast.Node) bool {
			file, at, edit := s.textless(n)
			if edit == nil {
				return true
			}
			text := imageText(file)
			e, ok := edit(text)
			switch {
			case text == "":
				j.left(name, s.line(at), oneLine(file), "the file name does not describe the image")
			case !ok:
				j.left(name, s.line(at), oneLine(file), "it is written in a way that cannot be changed automatically")
			default:
				edits = append(edits, e)
				j.done(name, s.line(at), "%s: %s", file, text)
			}
			return true
		})
		if len(edits) == 0 {
			return nil
		}
		_, err := j.apply(s, s.head, withoutOverlaps(edits))
		return err
	})
}

// textless returns the address of an image without alt text, and a function that makes the edit to add one; edit is
// nil for all other nodes. An empty alt attribute marks a decorative image.
func (s *source) textless(n ast.Node) (file string, at int, edit func(string) (write.Edit, bool)) {
	switch n := n.(type) {
	case *ast.Image:
		if n.Alt == "" {
			return n.URL, n.Start, func(text string) (write.Edit, bool) {
				place := ast.Span{Start: n.Start + 2, End: n.Start + 2}
				return write.Edit{Span: place, Text: text}, strings.HasPrefix(string(s.body[n.Start:n.End]), "![]")
			}
		}
	case *ast.Element:
		if n.Name != "img" {
			return "", 0, nil
		}
		var src ast.Attr
		for _, a := range n.Attrs {
			switch {
			case a.Kind == ast.AttrSpread || a.Name == "alt" || a.Name == "aria-hidden" || a.Name == "role":
				return "", 0, nil
			case a.Name == "src":
				src = a
			}
		}
		r, ok := s.attribute(n, src)
		if !ok {
			r.dest = "an image whose address is computed by code"
		}
		return r.dest, n.Start, func(text string) (write.Edit, bool) {
			e, err := write.SetAttr(s.body, n, "alt", text)
			return e, err == nil
		}
	}
	return "", 0, nil
}

var (
	imageEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"}
	scale        = lazyregexp.New(`(?i)@[0-9]x$|[-_. ]?[0-9]{2,5}x[0-9]{2,5}$`)
	hexWord      = lazyregexp.New(`^[0-9a-f]{6,}$`)
	camel        = lazyregexp.New(`([a-z0-9])([A-Z])`)
	initials     = strings.Fields(
		"ai api aws cli cpu csv css dns gcp gpu html http https id ip json jwt llm mcp pdf sdk sql ssh ssl sso tls ui " +
			"url ux vpc vpn xml yaml")
	// speechless are words of file names that do not describe the picture.
	speechless = strings.Fields(
		"image images img screenshot screen shot screenshots picture pic photo untitled frame group pasted clipboard asset file " +
			"figure fig capture cleanshot dsc scr copy final new at am pm light dark the of and a")
)

// imageText derives a text from an image's file name. It returns "" if the name has no descriptive words.
func imageText(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	base := path.Base(unescaped(address))
	ext := path.Ext(base)
	if !slices.Contains(imageEndings, strings.ToLower(ext)) {
		return ""
	}
	base = scale.ReplaceAllString(strings.TrimSuffix(base, ext), "")
	if !strings.ContainsAny(base, "-_ .") {
		base = camel.ReplaceAllStringFunc(base, func(s string) string { return s[:1] + " " + strings.ToLower(s[1:]) })
	}
	words := strings.FieldsFunc(base,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		lower := strings.ToLower(w)
		return len(w) > 40 || hexWord.MatchString(lower) && strings.ContainsFunc(lower, unicode.IsDigit)
	})
	number := func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) }
	for len(words) > 0 && number(words[0]) { // numbers that only order files
		words = words[1:]
	}
	// light and dark variants of one picture
	for len(words) > 1 && (words[len(words)-1] == "light" || words[len(words)-1] == "dark") {
		words = words[:len(words)-1]
	}
	says := func(w string) bool {
		return !number(w) && len([]rune(w)) > 2 &&
			!slices.Contains(speechless, strings.TrimRight(strings.ToLower(w), "0123456789"))
	}
	if !slices.ContainsFunc(words, says) || len(words) > 15 {
		return ""
	}
	for i, w := range words {
		if slices.Contains(initials, strings.ToLower(w)) {
			words[i] = strings.ToUpper(w)
		}
	}
	text := []rune(strings.Join(words, " "))
	return string(unicode.ToUpper(text[0])) + string(text[1:])
}
