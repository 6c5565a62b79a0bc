package imagesize

import (
	"bytes"
	"strconv"
	"strings"
)

// line is the width returned for a drawing that has an aspect ratio but no size. Browsers draw it as wide as the line
// that contains it, and this width is larger than any line. A page never shows an image wider than its container.
const line = 2560

// maxBefore limits the comments and instructions before the first element. Finding the end of each of them may require
// searching the rest of the file.
const maxBefore = 100

// isText reports whether data may be an SVG file.
func isText(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(withoutMark(head), " \t\r\n"), []byte("<"))
}

func withoutMark(head []byte) []byte { return bytes.TrimPrefix(head, []byte("\ufeff")) }

// parseSVG reads the attributes of the first element.
//
//	file = (space | "<?" … "?>" | "<!--" … "-->" | "<!" … ["[" … "]"] ">")* "<" [prefix ":"] "svg" (space name "=" quoted)* ["/"] ">"
func parseSVG(head []byte) (width, height int, ok bool) {
	tag, ok := root(withoutMark(head))
	if !ok {
		return 0, 0, false
	}
	var w, h, ratio float64
	var stretched bool
	for {
		name, value, rest, ok := attribute(tag)
		if !ok {
			return 0, 0, false
		}
		if tag = rest; name == "" {
			break
		}
		known := true
		switch name {
		case "width":
			w, known = length(value)
		case "height":
			h, known = length(value)
		case "viewBox":
			ratio = viewBox(value)
		case "preserveAspectRatio":
			stretched = strings.HasPrefix(strings.TrimSpace(value), "none")
		case "style":
			known = !strings.Contains(value, "width") && !strings.Contains(value, "height") // they take precedence
		}
		if !known {
			return 0, 0, false
		}
	}
	switch {
	case w > 0 && h > 0:
		return rounded(w, h)
	case ratio == 0, stretched:
		return 0, 0, false
	case w > 0:
		return rounded(w, w/ratio)
	case h > 0:
		return rounded(h*ratio, h)
	}
	return rounded(line, line/ratio)
}

// root returns the text after the name of the first element, if that element is an svg.
func root(b []byte) (tag []byte, ok bool) {
	for range maxBefore {
		b = bytes.TrimLeft(b, " \t\r\n")
		end := ">"
		switch {
		case bytes.HasPrefix(b, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(b, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(b, []byte("<!")):
			if open := bytes.IndexByte(b, '['); open >= 0 && open < bytes.IndexByte(b, '>') {
				end = "]"
			}
		default:
			name, isTag := bytes.CutPrefix(b, []byte("<"))
			to := bytes.IndexAny(name, " \t\r\n/>")
			if !isTag || to < 0 {
				return nil, false
			}
			local := name[:to]
			if i := bytes.IndexByte(local, ':'); i >= 0 {
				local = local[i+1:]
			}
			return name[to:], string(local) == "svg"
		}
		_, rest, found := bytes.Cut(b, []byte(end))
		if !found {
			return nil, false
		}
		if end == "]" {
			rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(">"))
		}
		b = rest
	}
	return nil, false
}

// attribute returns the first attribute. name is "" at the end of the tag. ok is false if the tag is invalid or
// incomplete.
func attribute(b []byte) (name, value string, rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 {
		return "", "", nil, false
	}
	if b[0] == '>' || b[0] == '/' {
		return "", "", nil, true
	}
	before, after, found := bytes.Cut(b, []byte("="))
	if after = bytes.TrimLeft(after, " \t\r\n"); !found || len(after) == 0 || after[0] != '"' && after[0] != '\'' {
		return "", "", nil, false
	}
	inner, rest, found := bytes.Cut(after[1:], after[:1])
	before = bytes.TrimRight(before, " \t\r\n")
	if !found || len(before) == 0 || bytes.ContainsAny(before, " \t\r\n<>/\"'") {
		return "", "", nil, false
	}
	return string(before), string(inner), rest, true
}

// length parses a length in CSS pixels. It returns 0 for relative lengths, and known is false for lengths that
// depend on the font.
func length(s string) (px float64, known bool) {
	n, unit := number(strings.TrimSpace(s))
	switch scale, ok := map[string]float64{"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54,
		"mm": 96 / 25.4}[unit]; {
	case ok && n > 0:
		return n * scale, true
	case unit == "%", unit == "auto":
		return 0, true
	}
	return 0, false
}

// viewBox returns the aspect ratio (width to height) of a viewBox value, or 0 if the value has none.
func viewBox(s string) float64 {
	if len(s) > 200 {
		return 0
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	if len(parts) != 4 {
		return 0
	}
	w, after := number(parts[2])
	h, more := number(parts[3])
	if w <= 0 || h <= 0 || after != "" || more != "" {
		return 0
	}
	return w / h
}

// number parses a number at the start of a word. It returns 0 if the word does not start with a number.
func number(s string) (n float64, rest string) {
	end := 0
	for end < len(s) && end < 40 &&
		(s[end] >= '0' && s[end] <= '9' || s[end] == '.' || end == 0 && (s[end] == '+' || s[end] == '-')) {
		end++
	}
	if end+1 < len(s) && (s[end] == 'e' || s[end] == 'E') && strings.IndexByte("0123456789+-", s[end+1]) >= 0 {
		for end += 2; end < len(s) && end < 50 && s[end] >= '0' && s[end] <= '9'; end++ {
		}
	}
	n, err := strconv.ParseFloat(s[:end], 64)
	if err != nil {
		return 0, s
	}
	return n, s[end:]
}
