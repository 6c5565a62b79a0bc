package pagetext

import "bytes"

// Section is the text from one heading to the next. Paragraphs, items and cells are separated by line breaks; other
// white space is collapsed. A page's first section has no heading. Text after a folded part continues the section
// before it, in a Section with the same heading and More set.
type Section struct {
	// 1 to 6 for headings, 7 for steps, folded parts and entries of a changelog; 0 for the beginning of the page
	Level   int
	Anchor  string
	Heading string
	More    bool // continues a section with the same heading
	Text    string
	Code    string // blocks of code with their line breaks
}

// Sections extracts the sections of a page from its parts, in order.
func Sections(html ...[]byte) []Section {
	r := &reader{}
	for _, h := range html {
		r.read(h)
		r.skip, r.same = "", 0
		r.endBlock()
	}
	r.flush()
	return r.out
}

// reader extracts the text of one page.
type reader struct {
	out     []Section
	at      Section // the current section without its text
	text    []byte
	code    []byte
	head    []byte
	named   string // the element whose text is the heading; "" = not inside a heading
	pre     int    // nesting of code blocks
	skip    string // the element that is being skipped; "" = none
	same    int    // number of open elements with the same name as skip
	pending string // id of a container whose title has not been read yet
	around  []container
}

// container is a folded part or an entry of a changelog. The interrupted section continues after it.
type container struct {
	tag    string
	back   Section
	opened bool // it started a section with its own heading
}

func (r *reader) read(html []byte) {
	for len(html) > 0 {
		i := bytes.IndexByte(html, '<')
		if i < 0 {
			i = len(html)
		}
		if i > 0 && r.skip == "" {
			r.write(html[:i])
		}
		if html = html[i:]; len(html) == 0 {
			return
		}
		// within code blocks, these are mostly highlighting
		if r.pre > 0 && r.skip == "" &&
			(bytes.HasPrefix(html, []byte("<span")) || bytes.HasPrefix(html, []byte("</span"))) {
			end := bytes.IndexByte(html, '>')
			if end < 0 {
				return
			}
			html = html[end+1:]
			continue
		}
		t, n := scanTag(html)
		html = html[n:]
		switch {
		case t.name == "":
		case r.skip != "":
			r.skipping(t)
		case t.end:
			r.close(t)
		default:
			r.open(t)
		}
	}
}

// skipping counts the open elements that have the same name as the skipped element, until that element is closed.
func (r *reader) skipping(t tag) {
	switch {
	case t.name != r.skip || t.empty:
	case !t.end:
		r.same++
	default:
		if r.same--; r.same == 0 {
			r.skip = ""
		}
	}
}

func (r *reader) open(t tag) {
	if t.left() {
		if !t.empty {
			r.skip, r.same = t.name, 1
		}
		return
	}
	switch {
	case t.name == "pre":
		r.pre++
		return
	case r.pre > 0:
		return
	case len(t.name) == 2 && t.name[0] == 'h' && t.name[1] >= '1' && t.name[1] <= '6':
		r.begin(t.name, t.id(), int(t.name[1]-'0'))
		return
	case t.class == "step-title" && len(t.rawID) > 0:
		r.begin(t.name, t.id(), 7)
		return
	case (t.name == "details" || t.name == "section") && !t.empty:
		r.around = append(r.around, container{tag: t.name, back: r.at})
		r.pending = t.id()
	case r.pending != "" && (t.name == "summary" || t.class == "update-label"):
		r.around[len(r.around)-1].opened = true
		r.begin(t.name, r.pending, 7)
		r.pending = ""
		return
	}
	if t.block() {
		r.endBlock()
	}
}

func (r *reader) close(t tag) {
	switch {
	case t.name == "pre" && r.pre > 0:
		if r.pre--; r.pre == 0 {
			r.code = append(bytes.TrimRight(r.code, " \n"), '\n')
		}
	case r.pre > 0:
	case t.name == r.named:
		r.named = ""
		r.at.Heading = string(bytes.TrimSpace(r.head))
	case len(r.around) > 0 && r.around[len(r.around)-1].tag == t.name:
		c := r.around[len(r.around)-1]
		r.around, r.pending = r.around[:len(r.around)-1], ""
		r.endBlock()
		if c.opened {
			r.flush()
			r.at = c.back
			r.at.More = true
		}
	case t.block():
		r.endBlock()
	}
}

// begin starts a section whose heading is the text of the element name.
func (r *reader) begin(name, id string, level int) {
	r.flush()
	if id == "" { // links cannot point to it, so use the preceding anchor
		id = r.at.Anchor
	}
	r.at = Section{Level: level, Anchor: id}
	r.named, r.head = name, r.head[:0]
}

// flush ends the section. A section without its own heading is kept only if it has text.
func (r *reader) flush() {
	s := r.at
	if r.named != "" { // the element was not closed
		s.Heading, r.named = string(bytes.TrimSpace(r.head)), ""
	}
	s.Text, s.Code = string(bytes.TrimSpace(r.text)), string(bytes.Trim(r.code, "\n"))
	r.text, r.code = r.text[:0], r.code[:0]
	if s.Text != "" || s.Code != "" || s.Heading != "" && !s.More {
		r.out = append(r.out, s)
	}
}
