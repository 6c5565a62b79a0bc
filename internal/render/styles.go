package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"strings"
)

// sheet collects the style attributes and <style> elements of a page. The content security policy of pages does not
// permit inline styles (C5), so inline styles become rules of a style sheet.
type sheet struct {
	rules map[string]string // declarations → class
	out   bytes.Buffer
	own   bytes.Buffer // from <style> elements; written last, so that an unclosed rule does not affect others
}

var styleAttr = []byte(` style="`)

// extractStyles moves the style attributes of rendered HTML into the sheet and returns a copy without them. It works
// only with our own HTML, where attribute values never contain ">" or quotes.
func (s *sheet) extractStyles(page []byte) []byte {
	if !bytes.Contains(page, styleAttr) {
		return bytes.Clone(page)
	}
	out := make([]byte, 0, len(page))
	for {
		at := bytes.Index(page, styleAttr)
		open := bytes.LastIndexByte(page[:max(at, 0)], '<')
		if at < 0 || open < 0 || bytes.IndexByte(page[open:at], '>') >= 0 {
			// There are no more style attributes, or the match is in text, where quotes are not escaped.
			if at < 0 {
				return append(out, page...)
			}
			out = append(out, page[:at+len(styleAttr)]...)
			page = page[at+len(styleAttr):]
			continue
		}
		size := bytes.IndexByte(page[at+len(styleAttr):], '"')
		end := bytes.IndexByte(page[at:], '>')
		if size < 0 || end < 0 {
			return append(out, page...)
		}
		rest := page[at+len(styleAttr)+size+1 : at+end]
		class := s.classFor(html.UnescapeString(string(page[at+len(styleAttr) : at+len(styleAttr)+size])))
		out = append(out, page[:open]...)
		out = withClass(out, page[open:at], rest, class)
		page = page[at+end:]
	}
}

// withClass appends a tag without its style attribute and with an additional class.
func withClass(out, before, after []byte, class string) []byte {
	if class == "" {
		return append(append(out, before...), after...)
	}
	for _, part := range [][]byte{before, after} {
		if i := bytes.Index(part, []byte(` class="`)); i >= 0 {
			at := i + len(` class="`)
			joined := append(append(append([]byte{}, part[:at]...), class+" "...), part[at:]...)
			if len(before) > 0 && &part[0] == &before[0] {
				return append(append(out, joined...), after...)
			}
			return append(append(out, before...), joined...)
		}
	}
	out = append(append(out, before...), ` class="`+class+`"`...)
	return append(out, after...)
}

// classFor returns the class for declarations. It returns "" for declarations that could end the rule they are in.
func (s *sheet) classFor(css string) string {
	if strings.ContainsAny(css, "{}<") || strings.TrimSpace(css) == "" {
		return ""
	}
	if name, ok := s.rules[css]; ok {
		return name
	}
	sum := sha256.Sum256([]byte(css))
	name := "s-" + hex.EncodeToString(sum[:4])
	if s.rules == nil {
		s.rules = map[string]string{}
	}
	s.rules[css] = name
	s.out.WriteString("." + name + "{" + css + "}\n")
	return name
}
