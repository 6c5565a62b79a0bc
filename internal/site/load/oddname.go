package load

import (
	"html"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// This file searches text for references to files whose names contain characters that otherwise end a word, such as
// plan (1).png, or whose names authors escape.

// endOfWord contains the characters that separate possible paths in a text.
const endOfWord = "\"'`()[]{}<>|\r\n \t,;="

// odd reports whether a path cannot be found in a text as a word, or as several words in quotes or brackets.
func odd(name string) bool { return strings.ContainsAny(name, "\"'`()[]{}<>|,;=&\\") }

// indexOdd adds a file under the longest word in its name. Text that does not contain this word needs no closer
// examination.
func (m *mentions) indexOdd(file string) {
	longest := ""
	for _, word := range plainWords(path.Base(file)) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	if m.odd == nil {
		m.odd = map[string][]string{}
	}
	m.odd[longest] = append(m.odd[longest], file)
}

// oddNames calls found for each file that the text may refer to.
func (m *mentions) oddNames(data []byte, dir string) {
	if len(m.odd) == 0 {
		return
	}
	text, seen := unescaped(string(data)), map[string]bool{"": true}
	for _, file := range m.odd[""] {
		m.found(text, dir, file)
	}
	for _, word := range plainWords(text) {
		if files := m.odd[word]; len(files) > 0 && !seen[word] {
			seen[word] = true
			for _, file := range files {
				m.found(text, dir, file)
			}
		}
	}
}

func plainWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var percent = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

// unescaped returns a text with the escapes of Markdown, HTML and URLs decoded.
func unescaped(text string) string {
	text = html.UnescapeString(strings.ReplaceAll(text, `\`, ""))
	return percent.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[1:], 16, 8)
		if err != nil {
			return s
		}
		return string([]byte{byte(n)})
	})
}

// refersTo reports whether a text refers to a file. Relative references in the text are relative to dir.
func refersTo(text, dir, file string) bool {
	for tail := file; ; { // tail is the end of the path, as it appears in a relative reference
		for at := 0; ; {
			i := strings.Index(text[at:], tail)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(tail)
			at = start + 1
			for strings.HasSuffix(text[:start], "./") {
				start = len(strings.TrimSuffix(strings.TrimSuffix(text[:start], "./"), "."))
			}
			if strings.HasSuffix(text[:start], "/") {
				start--
			}
			if start > 0 && !strings.Contains(endOfWord, text[start-1:start]) ||
				end < len(text) && !strings.Contains(endOfWord+"?#", text[end:end+1]) {
				continue
			}
			ref := text[start:end]
			if path.Clean("/"+ref) == "/"+file || ref[0] != '/' && path.Join("/", dir, ref) == "/"+file {
				return true
			}
		}
		_, rest, ok := strings.Cut(tail, "/")
		if !ok {
			return false
		}
		tail = rest
	}
}
