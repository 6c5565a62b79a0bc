package searchindex

import (
	"math"
	"strings"
	"sync"
)

// Preparer reads pages. The zero value is ready, and it is safe for concurrent use: what one page needed serves the
// next.
type Preparer struct {
	// Synonyms are groups of words and phrases that mean the same on this site, beside those of every site. They must
	// not change.
	Synonyms [][]string

	once  sync.Once
	table *synonyms
	free  sync.Pool
}

// vocabularyMax bounds the terms that a gatherer remembers between pages.
const vocabularyMax = 40_000

// gatherer counts the terms of one page after the other. It remembers terms, which most pages share, so that few are
// new.
type gatherer struct {
	tok   tokenizer
	known map[string]int32
	terms []string
	seen  []seen

	synonyms *synonyms
	recent   []string // the last words of the field at hand, without common ones
	phrases  []phrase // of the chunk at hand

	page    int32   // number of the page at hand
	used    []int32 // its terms
	touched []int32 // those of the chunk at hand
	mark    []byte  // scratch: a term that stands in a title
	naming  bool    // the text at hand is a title
	field   int
	length  [fields]int // parts in each field of the chunk
	out     []termPosting
}

// seen is what is known of a term.
type seen struct {
	count [fields]uint16 // in the chunk at hand
	echo  float64        // weight of what means the same, in the chunk at hand
	word  string
	means []string // terms that are found where it stands
	page  int32    // the last page that had it
	at    int32    // its place among the terms of that page
}

type termPosting struct {
	at int32 // of the term, among those of the page
	posting
}

// Prepare reads a page. It is the costly part of adding one.
func (r *Preparer) Prepare(p Page) *Prepared {
	r.once.Do(func() { r.table = newSynonyms(r.Synonyms) })
	g, ok := r.free.Get().(*gatherer)
	if !ok || len(g.terms) > vocabularyMax {
		g = &gatherer{known: make(map[string]int32, 1024), synonyms: r.table}
		g.tok.emit = g.note
	}
	out := g.prepare(&p)
	r.free.Put(g)
	return out
}

func (g *gatherer) prepare(p *Page) *Prepared {
	out := &Prepared{facet: facet{p.Language, p.Version, p.Tags}, boost: boost(p), meta: p.meta(),
		marks: p.marks()}
	g.page++
	g.used, g.out = g.used[:0], g.out[:0]
	list := chunks(p)
	size := 0
	for i := range list {
		size += len(list[i].text) + len(list[i].code) + 64
	}
	out.text = make([]byte, 0, size+size/16)
	for i := range list {
		c := &list[i]
		g.chunk(p, c)
		g.end(int32(i))
		text := c.text
		if c.head && text == "" {
			text = p.lead() // for the snippet; its terms were counted as what they are
		}
		out.text = appendStrings(append(out.text, '['), c.section.Anchor, c.section.Heading, text, c.code)
		if c.head {
			out.text = appendAbout(out.text, p.about(text))
		}
		out.text = append(out.text, ']')
		out.ends = append(out.ends, int32(len(out.text)))
	}
	g.sorted(out)
	return out
}

// lead stands for a page that starts with a heading.
func (p *Page) lead() string {
	if p.Description != "" {
		return p.Description
	}
	return p.Lead
}

// appendAbout adds what is said about a page to its first chunk, if there is anything.
func appendAbout(to []byte, about string) []byte {
	if about == "" {
		return to
	}
	return appendStrings(append(to, ','), about)
}

// aboutMax bounds what is kept of a page's description and keywords, in bytes.
const aboutMax = 600

// about returns the description and the keywords, each in a line, so that words beside each other count there as they do
// in texts. shown is the text of the first chunk, which may be the description.
func (p *Page) about(shown string) string {
	lines := p.Keywords
	if p.Description != "" && p.Description != shown {
		lines = append([]string{p.Description}, lines...)
	}
	about, _ := cut(strings.Join(lines, "\n"), aboutMax, "\n", " ")
	return about
}

// meta returns the page's path, title and crumbs as JSON, its name when that differs from the title, and its title in
// the navigation when there is one.
func (p *Page) meta() []byte {
	out := appendStrings([]byte{'['}, p.Path, p.Title)
	out = append(appendStrings(append(out, ",["...), p.Crumbs...), ']')
	name := p.name()
	if name == p.Title {
		name = ""
	}
	switch {
	case p.Sidebar != "":
		out = appendStrings(append(out, ','), name, p.Sidebar)
	case name != "":
		out = appendStrings(append(out, ','), name)
	}
	return append(out, ']')
}

// marks returns those of the page's title and its title in the navigation.
func (p *Page) marks() [2]uint16 {
	title := nameMark(plainName(p.Title))
	if p.Sidebar == "" {
		return [2]uint16{title, title}
	}
	return [2]uint16{title, nameMark(plainName(p.Sidebar))}
}

// chunk counts the terms of all fields of a chunk.
func (g *gatherer) chunk(p *Page, c *chunk) {
	g.length = [fields]int{}
	g.in(inText, c.text)
	g.in(inCode, c.code)
	if c.first {
		g.in(inHeading, c.section.Heading)
	}
	g.in(inAround, c.above)
	if !c.head {
		return
	}
	g.naming = true
	g.in(inTitle, p.name())
	g.in(inKeywords, p.Sidebar)
	g.naming = false
	g.in(inDescription, p.Description)
	for _, k := range p.Keywords {
		g.in(inKeywords, k)
	}
	g.in(inPath, p.Path)
	for _, crumb := range p.Crumbs {
		g.in(inAround, crumb)
	}
}

// generic reports whether a title means nothing without its context.
func generic(title string) bool {
	switch strings.ToLower(title) {
	case "overview", "introduction", "intro", "index", "home", "welcome", "getting started", "get started",
		"quickstart", "quick start", "about",
		"basics", "summary", "readme":
		return true
	}
	return false
}

// name returns the title or, when that says nothing, it with the folder before it: the overview of a folder is the page
// about it.
func (p *Page) name() string {
	parts := strings.Split(p.Path, "/")
	if len(parts) < 2 || !generic(p.Title) {
		return p.Title
	}
	return strings.ReplaceAll(parts[len(parts)-2], "-", " ") + " " + p.Title
}

func (g *gatherer) in(field int, text string) {
	g.field, g.recent = field, g.recent[:0]
	g.tok.run(text)
}

// note counts one token.
func (g *gatherer) note(kind int, term []byte, start, _ int) {
	if kind == part {
		g.length[g.field]++
	}
	field := g.field
	if field >= inText && noise(term, field) {
		return
	}
	if field == inCode && (kind == joined || kind == grouped) {
		field = inText // a name tells as much in code as in text
	}
	s := g.touch(term)
	if s.count[field] < math.MaxUint16 {
		s.count[field]++
	}
	if field == inTitle && start == 0 {
		s.count[inTitle]++ // titles that start with what is asked for come first
	}
	if kind == part {
		g.notePhrases(s.word, field)
	}
	if g.naming {
		g.mark = append(append(g.mark[:0], term...), titleMark)
		g.touch(g.mark).count[inTitle] = 1
	}
}

// touch finds what is known of a term, which the chunk at hand has.
func (g *gatherer) touch(term []byte) *seen {
	id, ok := g.known[string(term)]
	if !ok {
		id = int32(len(g.terms))
		text := string(term)
		g.known[text] = id
		g.terms, g.seen = append(g.terms, text), append(g.seen, seen{word: text, means: g.synonyms.means[text]})
	}
	s := &g.seen[id]
	if s.page != g.page {
		s.page, s.at = g.page, int32(len(g.used))
		g.used = append(g.used, id)
	}
	if s.count == ([fields]uint16{}) && s.echo == 0 {
		g.touched = append(g.touched, id)
	}
	return s
}

// noise reports whether a term of running text is not worth indexing: common words, and in code long numbers and what
// looks like a key.
func noise(term []byte, field int) bool {
	if len(term) <= 6 && common(string(term)) {
		return true
	}
	if field != inCode || len(term) < 6 {
		return false
	}
	figures := 0
	for _, c := range term {
		if c >= '0' && c <= '9' {
			figures++
		}
	}
	return figures == len(term) || figures >= 4 && len(term) >= 16
}

// end turns the counts of a chunk into postings.
func (g *gatherer) end(at int32) {
	g.addEchoes()
	for _, id := range g.touched {
		s := &g.seen[id]
		l := level(max(weight(&s.count, &g.length), s.echo))
		if s.word[len(s.word)-1] == titleMark {
			l = uint8(min(g.length[inTitle], 31))
		}
		g.out = append(g.out, termPosting{s.at, posting{at, max(l, 1)}})
		s.count, s.echo = [fields]uint16{}, 0
	}
	g.touched = g.touched[:0]
}

// sorted puts the postings of each term together.
func (g *gatherer) sorted(out *Prepared) {
	out.terms, out.counts = make([]string, len(g.used)), make([]int32, len(g.used))
	for i, id := range g.used {
		out.terms[i] = g.terms[id]
	}
	for _, p := range g.out {
		out.counts[p.at]++
	}
	next := make([]int32, len(g.used))
	sum := int32(0)
	for i, n := range out.counts {
		next[i] = sum
		sum += n
	}
	out.postings = make([]posting, len(g.out))
	for _, p := range g.out {
		out.postings[next[p.at]] = p.posting
		next[p.at]++
	}
}
