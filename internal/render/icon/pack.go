package icon

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// pack is one library in memory: its text and the offsets of its lines. tools/packweb writes it, one icon per line,
// sorted:
//
//	line    = name TAB style TAB ( viewBox TAB body | "=" TAB name ) LF
//	viewBox = "" for "0 0 24 24"
//
// A name has one line per style; they are adjacent.
type pack struct {
	text  []byte
	lines []uint32 // offsets into text
}

// drawing is the picture of one icon. Its slices share memory with the pack.
type drawing struct {
	name    []byte
	style   []byte
	viewBox []byte
	body    []byte
}

// parsePack finds the lines and checks that they are sorted, which find relies on.
func parsePack(text []byte) (*pack, error) {
	p := &pack{text: text, lines: make([]uint32, 0, bytes.Count(text, []byte{'\n'}))}
	var last []byte
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return nil, errors.New("parse icons: the last line has no end")
		}
		line := text[at : at+end]
		if bytes.Count(line, []byte{'\t'}) != 3 {
			return nil, fmt.Errorf("parse icons: line %d has not four fields", len(p.lines)+1)
		}
		if name := line[:bytes.IndexByte(line, '\t')]; bytes.Compare(last, name) > 0 {
			return nil, fmt.Errorf("parse icons: names are not sorted: %q comes after %q", name, last)
		} else {
			last = name
		}
		p.lines = append(p.lines, uint32(at)) // a pack is a few megabytes
		at += end + 1
	}
	return p, nil
}

// maxNames limits a chain of aliases.
const maxNames = 4

// find returns the drawing of a name in the first available of the given styles, or otherwise in any style.
func (p *pack) find(name string, styles []string) (drawing, bool) {
	for range maxNames {
		found := p.named(name)
		if len(found) == 0 {
			return drawing{}, false
		}
		d := found[nearest(found, styles)]
		if string(d.viewBox) != "=" {
			return d, true
		}
		if len(d.style) > 0 { // an old name that implied a style, such as calendar-o
			styles = append([]string{string(d.style)}, styles...)
		}
		name = string(d.body)
	}
	return drawing{}, false
}

// named returns all lines with a name.
func (p *pack) named(name string) []drawing {
	at := sort.Search(len(p.lines), func(i int) bool { return string(p.line(i).name) >= name })
	var found []drawing
	for ; at < len(p.lines); at++ {
		d := p.line(at)
		if string(d.name) != name {
			break
		}
		found = append(found, d)
	}
	return found
}

// line splits one line into its fields.
func (p *pack) line(i int) drawing {
	rest := p.text[p.lines[i]:]
	field := func(end byte) []byte {
		n := bytes.IndexByte(rest, end)
		f := rest[:n]
		rest = rest[n+1:]
		return f
	}
	return drawing{name: field('\t'), style: field('\t'), viewBox: field('\t'), body: field('\n')}
}

// nearest returns the index of the first available style, or 0.
func nearest(found []drawing, styles []string) int {
	for _, style := range styles {
		if i := slices.IndexFunc(found,
			func(d drawing) bool { return strings.EqualFold(string(d.style), style) }); i >= 0 {
			return i
		}
	}
	return 0
}
