package component

import (
	"strconv"
	"strings"
)

const (
	maxRanges = 1000    // ranges of lines in one prop
	maxMeta   = 8 << 10 // bytes of meta that are parsed
	maxBraces = 1 << 10 // bytes between braces in one item
)

// ParseMeta parses the language of a fence and the meta after it.
//
//	meta  = { blank | item }
//	item  = "{" ranges "}" | key "=" value | flag | word
//	value = quoted | "{" … "}" | word
//
// All other words form the title, which may contain blanks. Unknown keys are ignored.
func ParseMeta(lang, meta string) CodeBlock {
	if isItem(lang) { // ```title="a.ts" has no language
		lang, meta = "", lang+" "+meta
	}
	if len(meta) > maxMeta {
		meta = strings.ToValidUTF8(meta[:maxMeta], "")
	}
	b := CodeBlock{Lang: lang}
	var words []string
	for meta = strings.TrimSpace(meta); meta != ""; meta = strings.TrimSpace(meta) {
		item := cutItem(meta)
		meta = meta[len(item):]
		key, value, keyed := cutKey(item)
		switch {
		case keyed:
			b.set(key, value)
		case item[0] == '{' && item[len(item)-1] == '}' && isRanges(item):
			b.Highlight = append(b.Highlight, parseRanges(item)...)
		case b.flag(item):
		default:
			words = append(words, strings.Trim(item, `"`))
		}
	}
	if b.Title == "" {
		b.Title = strings.Join(words, " ")
	}
	return b
}

// isItem reports whether the first word belongs to the meta.
func isItem(word string) bool {
	_, _, keyed := cutKey(word)
	return keyed || (&CodeBlock{}).flag(word) && word != "diff"
}

// cutItem returns the first item, which ends at white space outside quotes and braces.
func cutItem(s string) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n':
			return s[:i]
		case '"', '\'':
			if i > 0 && s[i-1] != '=' && s[i-1] != '{' || i == 0 && s[i] == '\'' {
				continue // an apostrophe
			}
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		case '{':
			if n := closingBrace(s[i:min(len(s), i+maxBraces)]); n > 0 {
				i += n
			}
		}
	}
	return s
}

// closingBrace returns the offset of the brace that closes the first one, or 0 if there is none.
func closingBrace(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// cutKey splits key=value. A key must be a name, so that a URL with a query is not split.
func cutKey(item string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(item, "=")
	if !ok || key == "" {
		return "", "", false
	}
	for i := 0; i < len(key); i++ {
		if c := key[i] | 0x20; (c < 'a' || c > 'z') &&
			(i == 0 || key[i] != '-' && key[i] != '_' && (key[i] < '0' || key[i] > '9')) {
			return "", "", false
		}
	}
	return key, value, true
}

// unquote removes braces and quotes around a value.
func unquote(s string) string {
	for len(s) >= 2 {
		first, last := s[0], s[len(s)-1]
		if first == '{' && last == '}' || (first == '"' || first == '\'' || first == '`') && last == first {
			s = strings.TrimSpace(s[1 : len(s)-1])
			continue
		}
		break
	}
	return s
}

// flag sets a switch by its name and reports whether the name is known.
func (b *CodeBlock) flag(name string) bool { return b.toggle(name, true) }

func (b *CodeBlock) toggle(name string, on bool) bool {
	switch name {
	case "lines", "showLineNumbers", "lineNumbers":
		b.Lines = on
	case "wrap":
		b.Wrap = on
	case "nocopy", "noCopy":
		b.NoCopy = on
	case "expandable":
		b.Expandable = on
	case "twoslash":
		b.Twoslash = on
	case "diff":
		b.Diff = on
	default:
		return false
	}
	return true
}

func (b *CodeBlock) set(key, value string) {
	text := unquote(value)
	switch key {
	case "title", "filename":
		b.Title = text
	case "icon":
		b.Icon = text
	case "highlight":
		b.Highlight = append(b.Highlight, parseRanges(value)...)
	case "focus":
		b.Focus = append(b.Focus, parseRanges(value)...)
	case "copy":
		b.NoCopy = text == "false"
	case "actions":
		b.Actions = map[bool]string{true: "off", false: "on"}[text == "false"]
	case "placement":
		b.Placement = text
	case "test":
		if text != "false" {
			b.Test = text
		}
	case "output":
		b.Output = text
	default:
		b.toggle(key, text != "false" && text != "0" && text != "null" && text != "undefined")
	}
}

func isRanges(s string) bool {
	return strings.Trim(s, "{}[]0123456789,-– \t\"'") == "" && strings.ContainsAny(s, "0123456789")
}

// parseRanges parses ranges in any notation: {1,3-5}, "1, 3-5", {[1, 2]}. It ignores anything that is not a number.
func parseRanges(s string) []LineRange {
	var list []LineRange
	for part := range strings.SplitSeq(strings.Trim(s, "{}[]()\"'` \t"), ",") {
		if len(list) == maxRanges {
			break
		}
		a, z, ranged := strings.Cut(strings.Trim(strings.ReplaceAll(part, "–", "-"), "\"' \t"), "-")
		first, err := strconv.Atoi(strings.TrimSpace(a))
		if err != nil {
			continue
		}
		last := first
		if ranged {
			if last, err = strconv.Atoi(strings.TrimSpace(z)); err != nil {
				continue
			}
		}
		if first > last {
			first, last = last, first
		}
		if last >= 1 {
			list = append(list, LineRange{First: max(first, 1), Last: last})
		}
	}
	return list
}
