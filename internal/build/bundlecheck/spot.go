package bundlecheck

import "strings"

// spot is a position in a document. To keep parsing fast, an attribute is identified by name; its offset in the tag
// is computed only for findings.
type spot struct {
	offset int    // of the tag, or the position itself
	attr   string // name of an attribute of the tag, in lower case; "" for none
	delta  int    // offset in the attribute's value
}

// in returns the spot's offset in the document.
func (s spot) in(src []byte) int {
	if s.attr == "" || s.offset >= len(src) {
		return s.offset
	}
	tag := src[s.offset:]
	return s.offset + valueOffset(tag[:min(len(tag), maxTag)], s.attr) + s.delta
}

// maxTag is how many bytes of a tag are searched for an attribute. For an attribute beyond it, the position of the tag
// is reported. Otherwise, a tag of several megabytes would be searched once for each of its attributes.
const maxTag = 1 << 16

// valueOffset returns the offset of an attribute's value in a tag, or of the attribute itself if it has no value. If
// two attributes have the same name, it uses the first. It parses a tag as browsers do:
//
//	tag       = "<" name { blank | "/" | attribute } ">"
//	attribute = name [ blanks "=" blanks ( "'" … "'" | '"' … '"' | … ) ]
func valueOffset(tag []byte, name string) int {
	t := tagScanner{src: tag}
	t.until(" \t\n\f\r/>")
	for {
		t.while(" \t\n\f\r/")
		if t.at >= len(tag) || tag[t.at] == '>' {
			return 0
		}
		found, value := t.attribute()
		if strings.EqualFold(found, name) {
			return value
		}
	}
}

type tagScanner struct {
	src []byte
	at  int
}

// attribute skips one attribute and returns its name, and the offset of its value.
func (t *tagScanner) attribute() (name string, value int) {
	start := t.at
	t.at++ // a leading equals sign is part of the name
	t.until(" \t\n\f\r/>=")
	end := t.at
	name = string(t.src[start:end])
	t.while(" \t\n\f\r")
	if t.at >= len(t.src) || t.src[t.at] != '=' {
		t.at = end
		return name, start
	}
	t.at++
	t.while(" \t\n\f\r")
	if t.at >= len(t.src) || t.src[t.at] == '>' {
		return name, start
	}
	if quote := t.src[t.at]; quote == '"' || quote == '\'' {
		t.at++
		value = t.at
		t.until(string(quote))
		t.at++
		return name, value
	}
	value = t.at
	t.until(" \t\n\f\r>")
	return name, value
}

// until advances to the next of these bytes, while advances past all of them.
func (t *tagScanner) until(stop string) {
	for t.at < len(t.src) && strings.IndexByte(stop, t.src[t.at]) < 0 {
		t.at++
	}
}

func (t *tagScanner) while(these string) {
	for t.at < len(t.src) && strings.IndexByte(these, t.src[t.at]) >= 0 {
		t.at++
	}
}
