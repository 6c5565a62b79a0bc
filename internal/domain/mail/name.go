package mail

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// maxName is how many characters of a name are shown: enough to recognize it, too few for a message of its own.
const maxName = 60

// Characters that keep the direction of a name from changing that of the text around it.
const (
	isolate    = "\u2068"
	endIsolate = "\u2069"
)

// noLinks breaks what programs that show mails would turn into links: a name is no place for one.
var noLinks = strings.NewReplacer("://", " ", "www.", "www ")

// NoLinks returns a text without what programs would turn into links.
func NoLinks(text string) string { return noLinks.Replace(text) }

// CleanName returns a name that somebody chose so that it can stand in a subject or a sentence: on one line, without
// invisible characters or links, and short.
func CleanName(name string) string {
	name = NoLinks(OneLine(name))
	return clip.Runes(strings.Join(strings.Fields(name), " "), maxName)
}

// OneLine returns a text without line breaks and invisible characters.
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

// ShowName returns a cleaned name for a text. One that may be written from right to left is isolated from it.
func ShowName(name string) string {
	name = CleanName(name)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxLatin1 }) {
		return isolate + name + endIsolate
	}
	return name
}
