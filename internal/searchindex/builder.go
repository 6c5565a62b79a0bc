package searchindex

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Folder is where the files stand in a site.
const Folder = "_lectern/search"

// EntryName is the one file whose name is known before its content.
const EntryName = "index.js"

// File is a file of the index. Name is within the index's folder.
type File struct {
	Name string
	Data []byte
}

// Builder makes an index. It belongs to one goroutine. Text leaves it as soon as a shard is full; the terms stay until Close.
type Builder struct {
	emit   func(File) error
	terms  map[string]int32
	lists  []list
	chunks int
	pages  []byte // chunks of each page
	boosts []byte // pages whose weight is not 1: distance from the last such page, hundredths
	last   int    // that page, plus 1
	count  int    // pages

	facets  map[string]int
	facetOf []facet
	runs    []run

	shard   []byte // text shard at hand: its chunks
	metas   []byte // … and its pages
	shardN  int    // chunks in it
	docs    []byte // sizes of shards
	docSums []byte
	shards  int
}

// facet is what a question may be narrowed by: language, version, tags.
type facet struct {
	Language string   `json:"l,omitempty"`
	Version  string   `json:"v,omitempty"`
	Tags     []string `json:"t,omitempty"`
}

// run is pages after each other with the same facet.
type run struct{ facet, pages int }

// Sizes of shards in bytes before compression.
const (
	textShard = 10 << 10
	termShard = 10 << 10
)

// NewBuilder makes a Builder that hands its files to emit: shards of text while pages are added, the rest at Close.
func NewBuilder(emit func(File) error) *Builder {
	return &Builder{emit: emit, terms: map[string]int32{}, facets: map[string]int{}}
}

// Add adds a page. Pages are numbered in the order in which they come.
func (b *Builder) Add(p *Prepared) error {
	number := b.count
	b.count++
	b.pages = appendNumber(b.pages, len(p.ends))
	if p.boost != 100 {
		b.boosts = appendNumber(appendNumber(b.boosts, number+1-b.last), p.boost)
		b.last = number + 1
	}
	b.facet(p)
	next := 0
	for i, term := range p.terms {
		id, ok := b.terms[term]
		if !ok {
			id = int32(len(b.lists))
			b.terms[term] = id
			b.lists = append(b.lists, list{})
		}
		n := int(p.counts[i])
		b.lists[id].add(b.chunks, p.postings[next:next+n])
		next += n
	}
	b.chunks += len(p.ends)
	return b.text(number, p)
}

func (b *Builder) facet(p *Prepared) {
	id, ok := b.facets[p.facet]
	if !ok {
		id = len(b.facetOf)
		b.facets[p.facet] = id
		b.facetOf = append(b.facetOf, facet{p.language, p.version, p.tags})
	}
	if n := len(b.runs); n > 0 && b.runs[n-1].facet == id {
		b.runs[n-1].pages++
		return
	}
	b.runs = append(b.runs, run{id, 1})
}

// text adds a page's text to the shard at hand. A page that goes on in the next shard is described there again.
func (b *Builder) text(number int, p *Prepared) error {
	described := false
	start := int32(0)
	for _, end := range p.ends {
		c := p.text[start:end]
		start = end
		if b.shardN > 0 && len(b.shard)+len(b.metas)+len(c) > textShard {
			if err := b.endShard(); err != nil {
				return err
			}
			described = false
		}
		if !described {
			b.metas = append(b.metas, ",\""+strconv.Itoa(number)+"\":"...)
			b.metas = append(b.metas, p.meta...)
			described = true
		}
		b.shard = append(append(b.shard, ','), c...)
		b.shardN++
	}
	return nil
}

func (b *Builder) endShard() error {
	if b.shardN == 0 {
		return nil
	}
	data := slices.Concat([]byte(`{"p":{`), b.metas[1:], []byte(`},"c":[`), b.shard[1:], []byte("]}"))
	sum, err := b.put("d"+strconv.Itoa(b.shards), data)
	b.docs, b.docSums = appendNumber(b.docs, b.shardN), append(b.docSums, sum...)
	b.shard, b.metas, b.shardN = b.shard[:0], b.metas[:0], 0
	b.shards++
	return err
}

// put writes a shard and returns the digest in its name.
func (b *Builder) put(name string, value []byte) (sum string, err error) {
	data := script(name, value)
	digest := sha256.Sum256(data)
	sum = hex.EncodeToString(digest[:4])
	return sum, b.emit(File{Name: fileName(name, sum), Data: data})
}

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
	Runs   string  `json:"runs"`
	Docs   string  `json:"docs"`
	DocSum string  `json:"docSums"`
	First  string  `json:"first"` // what the terms of each shard start at, after each other with a space between
	Sums   string  `json:"sums"`
	Words  string  `json:"words"`
}

// format changes when a reader of the old one would misread an index.
const format = 1

// Close writes what is left: the last text, the terms, the entry.
func (b *Builder) Close() error {
	if err := b.endShard(); err != nil {
		return fmt.Errorf("write search text: %w", err)
	}
	e := entry{
		Format: format, Chunks: b.chunks, Pages: string(b.pages), Boosts: string(b.boosts), Facets: b.facetOf, Docs: string(b.docs), DocSum: string(b.docSums),
	}
	var runs []byte
	for _, r := range b.runs {
		runs = appendNumber(appendNumber(runs, r.pages), r.facet)
	}
	e.Runs = string(runs)
	if err := b.writeTerms(&e); err != nil {
		return fmt.Errorf("write search terms: %w", err)
	}
	data, err := json.Marshal(e)
	if err == nil {
		err = b.emit(File{Name: EntryName, Data: script("index", data)})
	}
	if err != nil {
		return fmt.Errorf("write search entry: %w", err)
	}
	return nil
}
