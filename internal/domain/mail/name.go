package mail

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// maxName is the number of characters of a name that are shown: enough to recognize it, but too few to hide a message
// in it.
const maxName = 60

// Characters that isolate the text direction of a name from the surrounding text.
const (
	isolate    = "\u2068"
	endIsolate = "\u2069"
)

// noLinks breaks text that email programs would turn into links, because names must not contain any.
var noLinks = strings.NewReplacer("://", " ", "www.", "www ")

// NoLinks breaks text that email programs would turn into links.
func NoLinks(text string) string { return noLinks.Replace(text) }

// CleanName prepares a name for a subject or a sentence: one line, without invisible characters or links, and
// short.
func CleanName(name string) string {
	name = NoLinks(OneLine(name))
	return clip.Runes(strings.Join(strings.Fields(name), " "), maxName)
}

// OneLine removes line breaks and invisible characters from text.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r): // bidirectional controls, zero-width characters, private use
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// ShowName prepares a name for display in text. It isolates the direction of names that may be written from right to
// left.
func ShowName(name string) string {
	name = CleanName(name)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxLatin1 }) {
		return isolate + name + endIsolate
	}
	return name
}
