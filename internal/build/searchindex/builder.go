package searchindex

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// Folder is the folder of the index in a site.
const Folder = "_lectern/search"

// EntryName is the name of the entry, the only file whose name does not depend on its content.
const EntryName = "index.js"

// scriptType is the media type of every file.
const scriptType = "text/javascript; charset=utf-8"

// File is a file of the index. Name is relative to the index's folder.
type File struct {
	Name   string
	Data   []byte         // nil if there is only the packed form
	Packed *output.Packed // nil if it is not compressed yet
	Held   bool           // the output already has the file: only its size and digest are set
}

// Options configures a Builder.
type Options struct {
	Scratch string // folder for a temporary file; "" = the system's
	// Pack compresses the files with terms, for outputs that take compressed files; nil = only compute digests. It
	// is called from several goroutines.
	Pack func(data []byte) *output.Packed
	// Holds reports whether the output already has a file with the given digest; nil = never.
	Holds func(name string, sum [32]byte) bool
	Home  Home
	// Cache stores which shards of terms were written, so that shards that an edit leaves unchanged are neither merged
	// nor compared with the output again; nil = none. It only has an effect if Holds is set.
	Cache   Cache
	Program [32]byte // digest of the program, which determines the bytes of shards
	// Synonyms are the groups of synonyms that the site's authors defined. They must be the same as those of the
	// Preparer that prepared the pages. The entry stores them for other programs that look for words in pages.
	Synonyms [][]string
}

// Builder builds an index from sealed segments. It is not safe for concurrent use. Texts are written immediately and
// terms are stored on disk, so it needs little more memory than the size of the entry: some bytes per page.
type Builder struct {
	emit  func(File) error
	opt   Options
	spill *spill // nil until the first segment
	runs  []run
	names names

	segments []segmentRef

	chunks int
	pages  []byte // number of chunks of each page
	boosts []byte // pages whose weight is not 1: distance from the last such page, hundredths
	last   int    // last such page, plus 1
	count  int    // pages

	facets facetSet
	same   [2]int // pages at the end with the same facet, and that facet
	spans  []byte // earlier pages

	docs    []byte // sizes of text shards
	groups  []byte // number of text shards of each segment that has some
	docSums []byte // digests of these segments
}

// segmentRef identifies a segment.
type segmentRef struct {
	key  [32]byte // cache key of its head; zero = unknown
	page int      // its first page
}

// NewBuilder returns a Builder that passes its files to emit: text shards while segments are added, the rest at
// Close.
func NewBuilder(emit func(File) error, opt Options) *Builder {
	if opt.Pack == nil {
		opt.Pack = output.Digested
	}
	if opt.Holds == nil {
		opt.Holds = func(string, [32]byte) bool { return false }
	}
	return &Builder{emit: emit, opt: opt}
}

// AddSegment adds the pages of a sealed segment after the existing ones. The record must not change afterwards,
// because files refer to it.
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
	b.segments = append(b.segments, segmentRef{record.Key, b.count})
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

// textFile returns the name of a text shard: its number in its segment, and the segment's digest.
func textFile(i int, sum string) string { return fileName(textName+strconv.Itoa(i), sum) }

// addPages records the pages' data for the entry.
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

// Names in the index. Text shards do not contain their position in the site, so that they do not change when their
// segment moves.
const (
	textName  = "d" // in the file's name, with a number
	wordsName = "words"
	termName  = "t" // and a number
)

// Number of hexadecimal digits of a digest in a name.
const (
	textSum = 12
	termSum = 8
)

// shardFile creates a file for a value, named after its content.
func shardFile(name string, value []byte, pack func([]byte) *output.Packed) (f File, sum string) {
	data := script(name, value)
	p := pack(data)
	sum = hex.EncodeToString(p.SHA256[:termSum/2])
	return File{Name: fileName(name, sum), Data: data, Packed: p}, sum
}

// Pack compresses a file of an index.
func Pack(data []byte) *output.Packed { return output.Pack(data, scriptType) }

// script wraps a value so that a page can load it from anywhere, including from disk.
func script(name string, value []byte) []byte {
	return slices.Concat([]byte(`lecternIndex("`+name+`",`), value, []byte(");\n"))
}

func fileName(name, sum string) string { return name + "." + sum + ".js" }

// entry is the file that refers to all others. Numbers use the package's own encoding.
type entry struct {
	Format int     `json:"format"`
	Chunks int     `json:"chunks"`
	Pages  string  `json:"pages"`
	Boosts string  `json:"boosts"`
	Facets []facet `json:"facets"`
	Runs   string  `json:"runs"` // consecutive pages with the same facet
	Docs   string  `json:"docs"`
	Groups string  `json:"groups"` // consecutive text shards with the same digest
	DocSum string  `json:"docSums"`
	First  string  `json:"first"` // first term of each shard, separated by spaces
	Sums   string  `json:"sums"`
	Words  string  `json:"words"`
	// Pages of a small site: path, title, crumbs and, unless it equals the title, the name. On larger sites, each shard
	// of terms contains the pages that have one of its terms in their title.
	Names []pageMeta `json:"names,omitempty"`
	// The most common words, separated by spaces. They determine which words of a long query are not looked up, and
	// the completions of the shortest prefixes.
	Frequent string     `json:"frequent,omitempty"`
	Home     *Home      `json:"home,omitempty"`
	Synonyms [][]string `json:"synonyms,omitempty"` // from the authors
}

// format must be changed if older readers would misinterpret an index.
const format = 4

// Close writes the rest: the terms and the entry. It frees the temporary file, even if it fails. Callers that do not
// reach Close must call Discard.
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

// Discard frees the temporary file. It may be called at any time, and more than once. The Builder cannot be used
// afterwards.
func (b *Builder) Discard() {
	b.spill.close()
	b.names.spill.close()
	b.spill, b.names.spill, b.runs = nil, nil, nil
}
