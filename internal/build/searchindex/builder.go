package searchindex

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// Folder is where the files stand in a site.
const Folder = "_lectern/search"

// EntryName is the one file whose name is known before its content.
const EntryName = "index.js"

// scriptType is the media type of every file.
const scriptType = "text/javascript; charset=utf-8"

// File is a file of the index. Name is within the index's folder.
type File struct {
	Name   string
	Data   []byte         // nil when only the packed form is at hand
	Packed *output.Packed // nil when it is not compressed yet
	Held   bool           // the output has it: there is only its size and digest
}

// Options of a Builder.
type Options struct {
	Scratch string // folder for a temporary file; "" = the system's
	// Pack compresses the files with terms, for outputs that take them so; nil = they are only digested. Several
	// goroutines call it.
	Pack func(data []byte) *output.Packed
	// Holds reports whether the output has a file with that digest already; nil = never.
	Holds func(name string, sum [32]byte) bool
	Home  Home
	// Synonyms are the groups of the site's authors, as the Preparer of the pages has them. The entry keeps them for
	// others who look for words in pages.
	Synonyms [][]string
}

// Builder makes an index of sealed segments. It belongs to one goroutine. Text leaves it at once and terms wait on
// disk, so that it keeps little more than the entry will say: some bytes a page.
type Builder struct {
	emit  func(File) error
	opt   Options
	spill *spill // nil until the first segment
	runs  []run
	names names

	chunks int
	pages  []byte // chunks of each page
	boosts []byte // pages whose weight is not 1: distance from the last such page, hundredths
	last   int    // that page, plus 1
	count  int    // pages

	facets facetSet
	same   [2]int // pages at the end that have the same facet, and that facet
	spans  []byte // those before

	docs    []byte // sizes of text shards
	groups  []byte // text shards of each segment that has some
	docSums []byte // of these segments
}

// NewBuilder makes a Builder that hands its files to emit: shards of text while segments are added, the rest at Close.
func NewBuilder(emit func(File) error, opt Options) *Builder {
	if opt.Pack == nil {
		opt.Pack = output.Digested
	}
	if opt.Holds == nil {
		opt.Holds = func(string, [32]byte) bool { return false }
	}
	return &Builder{emit: emit, opt: opt}
}

// AddSegment adds the pages of a sealed segment after those that are there. The record must not change any more: files
// refer to it.
func (b *Builder) AddSegment(record Record) error {
	s, err := readRecord(record.Head)
	if err == nil {
		err = s.addTexts(record, b.opt.Holds)
	}
	if err != nil {
		return fmt.Errorf("read search segment: %w", err)
	}
	if b.spill == nil {
		if b.spill, err = openSpill(b.opt.Scratch); err != nil {
			return err
		}
	}
	at, err := b.spill.add(s.lists)
	if err != nil {
		return err
	}
	b.runs = append(b.runs, run{from: b.spill.file, at: at, size: int64(len(s.lists)), terms: s.terms, base: b.chunks,
		chunks: s.chunks})
	if err := b.names.add(b.opt.Scratch, b.chunks, s.pages); err != nil {
		return err
	}
	b.chunks += s.chunks
	b.addPages(s)
	return b.addTexts(s)
}

// addTexts writes the text shards of a segment.
func (b *Builder) addTexts(s *sealed) error {
	if len(s.shards) == 0 {
		return nil
	}
	b.groups, b.docSums = appendNumber(b.groups, len(s.shards)), append(b.docSums, s.textSum...)
	for i := range s.shards {
		sh := &s.shards[i]
		b.docs = appendNumber(b.docs, sh.chunks)
		if err := b.emit(sh.file); err != nil {
			return fmt.Errorf("write search text: %w", err)
		}
	}
	return nil
}

// textFile is the name of a text shard: its number in its segment, and the segment's digest.
func textFile(i int, sum string) string { return fileName(textName+strconv.Itoa(i), sum) }

// addPages notes what the entry says of pages.
func (b *Builder) addPages(s *sealed) {
	ids := make([]int, len(s.facets))
	for i := range s.facets {
		ids[i] = b.facets.id(&s.facets[i])
	}
	for _, p := range s.pages {
		b.count++
		b.pages = appendNumber(b.pages, p.chunks)
		if p.boost != 100 {
			b.boosts = appendNumber(appendNumber(b.boosts, b.count-b.last), p.boost)
			b.last = b.count
		}
		if facet := ids[p.facet]; facet != b.same[1] {
			b.endSpan()
			b.same[1] = facet
		}
		b.same[0]++
	}
}

func (b *Builder) endSpan() {
	if b.same[0] > 0 {
		b.spans = appendNumber(appendNumber(b.spans, b.same[0]), b.same[1])
	}
	b.same[0] = 0
}

// Names in the index. Text shards know nothing of their place in the site, so that they stay the same wherever their
// segment stands.
const (
	textName  = "d" // in the file's name, with a number
	wordsName = "words"
	termName  = "t" // and a number
)

// Hexadecimal digits of a digest in a name.
const (
	textSum = 12
	termSum = 8
)

// shardFile makes a file of a value, named after its content.
func shardFile(name string, value []byte, pack func([]byte) *output.Packed) (f File, sum string) {
	data := script(name, value)
	p := pack(data)
	sum = hex.EncodeToString(p.SHA256[:termSum/2])
	return File{Name: fileName(name, sum), Data: data, Packed: p}, sum
}

// Pack compresses a file of an index.
func Pack(data []byte) *output.Packed { return output.Pack(data, scriptType) }

// script wraps a value so that a page can load it from anywhere, a disk included.
func script(name string, value []byte) []byte {
	return slices.Concat([]byte(`lecternIndex("`+name+`",`), value, []byte(");\n"))
}

func fileName(name, sum string) string { return name + "." + sum + ".js" }

// entry is the file that says where everything is. Numbers are in our own digits.
type entry struct {
	Format int     `json:"format"`
	Chunks int     `json:"chunks"`
	Pages  string  `json:"pages"`
	Boosts string  `json:"boosts"`
	Facets []facet `json:"facets"`
	Runs   string  `json:"runs"` // pages after each other with the same facet
	Docs   string  `json:"docs"`
	Groups string  `json:"groups"` // text shards after each other that have one digest
	DocSum string  `json:"docSums"`
	First  string  `json:"first"` // what the terms of each shard start at, after each other with a space between
	Sums   string  `json:"sums"`
	Words  string  `json:"words"`
	// Pages of a small site: path, title, crumbs and, unless it is the title, the name. On others, shards of terms have
	// those with a term in their title.
	Names []pageMeta `json:"names,omitempty"`
	// The most common words, with a space between: which words of a long query are not looked up, and what the
	// shortest beginnings stand for, is decided by them.
	Frequent string     `json:"frequent,omitempty"`
	Home     *Home      `json:"home,omitempty"`
	Synonyms [][]string `json:"synonyms,omitempty"` // of the authors
}

// format changes when a reader of the old one would misread an index.
const format = 4

// Close writes what is left: the terms, the entry. It frees the temporary file, also when it fails; who gives up before
// calls Discard.
func (b *Builder) Close() error {
	defer b.Discard()
	b.endSpan()
	e := entry{
		Format: format, Chunks: b.chunks, Pages: string(b.pages), Boosts: string(b.boosts), Facets: b.facets.all,
		Runs: string(b.spans),
		Docs: string(b.docs), Groups: string(b.groups), DocSum: string(b.docSums), Synonyms: b.opt.Synonyms,
	}
	if b.opt.Home != (Home{}) {
		e.Home = &b.opt.Home
	}
	if err := b.writeTerms(&e); err != nil {
		return fmt.Errorf("write search terms: %w", err)
	}
	data, err := b.names.entry(e)
	if err == nil {
		err = b.emit(File{Name: EntryName, Data: script("index", data)})
	}
	if err != nil {
		return fmt.Errorf("write search entry: %w", err)
	}
	return nil
}

// Discard frees the temporary file. It may be called at any time, and more than once; the Builder is of no use
// afterwards.
func (b *Builder) Discard() {
	b.spill.close()
	b.names.spill.close()
	b.spill, b.names.spill, b.runs = nil, nil, nil
}
