package searchindex

import (
	"math"
	"strings"
	"sync"
)

// Preparer analyzes pages. The zero value is ready to use. It is safe for concurrent use and reuses memory between
// pages.
type Preparer struct {
	// Synonyms are groups of words and phrases that mean the same on this site, in addition to the built-in ones. They
	// must not change.
	Synonyms [][]string

	once  sync.Once
	table *synonyms
	free  sync.Pool
}

// vocabularyMax limits the terms that a gatherer keeps between pages.
const vocabularyMax = 40_000

// gatherer counts the terms of pages, one page at a time. It keeps the terms between pages, because pages share most
// of them.
type gatherer struct {
	tok   tokenizer
	known map[string]int32
	terms []string
	seen  []seen

	synonyms *synonyms
	recent   []string // last words of the current field, without common ones
	phrases  []phrase // of the current chunk

	page    int32   // number of the current page
	used    []int32 // its terms
	touched []int32 // terms of the current chunk
	mark    []byte  // scratch: a term in a title
	naming  bool    // the current text is a title
	field   int
	length  [fields]int // parts in each field of the chunk
	out     []termPosting
}

// seen holds the data of a term.
type seen struct {
	count [fields]uint16 // in the current chunk
	echo  float64        // weight of its synonyms in the current chunk
	word  string
	means []string // terms that also match where this one occurs
	page  int32    // last page that has the term
	at    int32    // its position among the terms of that page
}

type termPosting struct {
	at int32 // position of the term among those of the page
	posting
}

// Prepare analyzes a page. It is the expensive part of adding one.
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
			text = p.lead() // for the snippet; its terms have been counted in their own fields
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

// lead returns the text that represents a page that starts with a heading.
func (p *Page) lead() string {
	if p.Description != "" {
		return p.Description
	}
	return p.Lead
}

// appendAbout adds the description and keywords of a page, if any, to its first chunk.
func appendAbout(to []byte, about string) []byte {
	if about == "" {
		return to
	}
	return appendStrings(append(to, ','), about)
}

// aboutMax limits the stored part of a page's description and keywords, in bytes.
const aboutMax = 600

// about returns the description and the keywords, one per line. They are stored as text so that adjacent words in them
// count as in running text. shown is the text of the first chunk, which may be the description.
func (p *Page) about(shown string) string {
	lines := p.Keywords
	if p.Description != "" && p.Description != shown {
		lines = append([]string{p.Description}, lines...)
	}
	about, _ := cut(strings.Join(lines, "\n"), aboutMax, "\n", " ")
	return about
}

// meta returns the page's path, title and crumbs as JSON, its name if it differs from the title, and its title in the
// navigation if there is one.
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

// marks returns the marks of the page's title and of its title in the navigation.
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

// generic reports whether a title has no meaning without its context.
func generic(title string) bool {
	switch strings.ToLower(title) {
	case "overview", "introduction", "intro", "index", "home", "welcome", "getting started", "get started",
		"quickstart", "quick start", "about",
		"basics", "summary", "readme":
		return true
	}
	return false
}

// name returns the title. A generic title is preceded by the folder's name, because the overview of a folder is the
// page about the folder's subject.
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
		field = inText // a name is as significant in code as in text
	}
	s := g.touch(term)
	if s.count[field] < math.MaxUint16 {
		s.count[field]++
	}
	if field == inTitle && start == 0 {
		s.count[inTitle]++ // the first word counts twice: titles that start with the query come first
	}
	if kind == part {
		g.notePhrases(s.word, field)
	}
	if g.naming {
		g.mark = append(append(g.mark[:0], term...), titleMark)
		g.touch(g.mark).count[inTitle] = 1
	}
}

// touch returns the data of a term and records that the current chunk has it.
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

// noise reports whether a term of running text is not worth indexing. That is the case for common words and, in code,
// for long numbers and anything that looks like a key.
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

// end converts the counts of a chunk to postings.
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

// sorted groups the postings by term.
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
