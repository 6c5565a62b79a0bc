package bundlecheck

import "strings"

// spot is a place in a document. To keep reading cheap, an attribute is only named; where it stands in its tag is found
// when there is something to tell of it.
type spot struct {
	offset int    // of the tag, or the place itself
	attr   string // name of an attribute of the tag, in small letters; "" for none
	delta  int    // bytes into the attribute's value
}

// in returns the spot's offset in the document.
func (s spot) in(src []byte) int {
	if s.attr == "" || s.offset >= len(src) {
		return s.offset
	}
	tag := src[s.offset:]
	return s.offset + valueOffset(tag[:min(len(tag), maxTag)], s.attr) + s.delta
}

// maxTag is how far into a tag an attribute is looked for, in bytes; beyond it the tag's own position is reported. A
// tag of megabytes must not be read once for each of its attributes.
const maxTag = 1 << 16

// valueOffset finds where the value of an attribute begins in a tag, or where the attribute itself does if it has none.
// Of two with the same name the first counts. It cuts a tag as browsers do:
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

// attribute passes over one attribute and returns its name, and where its value begins.
func (t *tagScanner) attribute() (name string, value int) {
	start := t.at
	t.at++ // an equals sign that comes first is part of the name
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

// until goes to the next of these bytes, while past all of them.
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
