package searchindex

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Index is an existing index. It is safe for concurrent use and caches what it reads, up to cacheMax.
type Index struct {
	read  func(name string) ([]byte, error)
	entry entry
	pages []int // first chunk of each page, and the end
	docs  []int // first chunk of each text shard, and the end
	group []int // first text shard of each segment, and the end
	boost map[int]int
	facet []int // of each page
	first []string
	often map[string]int // rank of each of the most common words, from 0

	once  sync.Once
	table *synonyms // see Means

	mu     sync.Mutex
	shards map[string]any // by file: *termPart, *textPart, []spelling
	size   int            // size of the files from which shards were read, in bytes
}

// cacheMax limits the total size of the files that an Index caches, in bytes. When it is full, everything is dropped,
// because shards can be read again quickly.
const cacheMax = 32 << 20

// Limits for the values in an entry. A text shard has at least twelve bytes for each chunk.
const (
	chunksMax     = 2_000_000
	chunksInShard = textShard
)

var errForm = errors.New("the search index is damaged or of another version")

// Open reads the entry. read returns the files of the index by name.
func Open(read func(name string) ([]byte, error)) (*Index, error) {
	data, err := read(EntryName)
	if err != nil {
		return nil, fmt.Errorf("read search entry: %w", err)
	}
	x := &Index{read: read, boost: map[int]int{}, shards: map[string]any{}}
	if err := unwrap("index", data, &x.entry); err != nil || x.entry.Format != format {
		return nil, errors.Join(errForm, err)
	}
	if !x.unpack() {
		return nil, errForm
	}
	return x, nil
}

// unwrap decodes the value in a shard.
func unwrap(name string, data []byte, to any) error {
	data, ok := bytes.CutPrefix(data, []byte(`lecternIndex("`+name+`",`))
	data, end := bytes.CutSuffix(data, []byte(");\n"))
	if !ok || !end {
		return errForm
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("read search shard: %w", err)
	}
	return nil
}

// unpack decodes the numbers of the entry and reports whether they are consistent.
func (x *Index) unpack() bool {
	e := &x.entry
	var ok, docs, groups bool
	x.pages, ok = starts(e.Pages, e.Chunks)
	x.docs, docs = starts(e.Docs, e.Chunks)
	x.group, groups = starts(e.Groups, len(x.docs)-1)
	if !ok || !docs || !groups || e.Chunks < 0 || e.Chunks > chunksMax || e.Chunks > chunksInShard*(len(x.docs)-1) ||
		len(e.DocSum) != textSum*(len(x.group)-1) {
		return false
	}
	d := numbers{text: e.Boosts}
	for page := -1; d.more(); {
		page += d.next()
		if b := d.next(); b > 0 && b <= boostMax {
			x.boost[page] = b
		}
	}
	x.facet = make([]int, len(x.pages)-1)
	runs, at := numbers{text: e.Runs}, 0
	for runs.more() {
		n, facet := runs.next(), runs.next()
		if facet >= len(e.Facets) || n > len(x.facet)-at {
			return false
		}
		for range n {
			x.facet[at] = facet
			at++
		}
	}
	if len(e.Sums) > 0 {
		x.first = strings.Split(e.First, " ")
	}
	x.often = map[string]int{}
	for i, w := range strings.Fields(e.Frequent) {
		x.often[w] = i
	}
	if len(e.Names) > 0 && len(e.Names) != len(x.facet) {
		return false
	}
	return at == len(x.facet) && len(e.Sums) == termSum*len(x.first) && slices.IsSorted(x.first) && !d.bad && !runs.bad
}

// starts computes cumulative sums of counts and reports whether the sum is total.
func starts(counts string, total int) (out []int, ok bool) {
	d, at := numbers{text: counts}, 0
	out = append(make([]int, 0, len(counts)+1), 0)
	for d.more() {
		at += d.next()
		out = append(out, at)
		if at > chunksMax {
			return out, false
		}
	}
	return out, at == total && !d.bad
}

// textFile returns the name of a text shard's file.
func (x *Index) textFile(i int) string {
	at := holder(x.group, i)
	return textFile(i-x.group[at], x.entry.DocSum[textSum*at:textSum*(at+1)])
}

// shard returns a shard from the cache, or reads it.
func shard[T any](x *Index, file string, parse func(data []byte) (T, error)) (out T, err error) {
	x.mu.Lock()
	known, ok := x.shards[file].(T)
	x.mu.Unlock()
	if ok {
		return known, nil
	}
	data, err := x.read(file)
	if err != nil {
		return out, fmt.Errorf("read search shard: %w", err)
	}
	if out, err = parse(data); err != nil {
		return out, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.size += len(data); x.size > cacheMax {
		clear(x.shards)
		x.size = len(data)
	}
	x.shards[file] = out
	return out, nil
}

// termPart is a shard of sorted terms.
type termPart struct {
	terms []string
	data  []string          // the encoded numbers of each
	names map[int]*pageMeta // pages with a term in their title, by number; nil if the entry contains all pages
	marks map[string]string // by term: name marks of further such pages
}

func (x *Index) termPart(i int) (*termPart, error) {
	name := termName + strconv.Itoa(i)
	return shard(x, fileName(name, x.entry.Sums[termSum*i:termSum*(i+1)]), func(data []byte) (*termPart, error) {
		var value struct {
			Terms string      `json:"t"`
			Pages []namedPage `json:"p"`
			Marks []string    `json:"m"` // terms, each with its list
		}
		if err := unwrap(name, data, &value); err != nil {
			return nil, err
		}
		out, last, text := &termPart{names: make(map[int]*pageMeta, len(value.Pages)), marks: map[string]string{}}, "",
			value.Terms
		for i := 0; i+1 < len(value.Marks); i += 2 {
			out.marks[value.Marks[i]] = value.Marks[i+1]
		}
		for i := range value.Pages {
			out.names[value.Pages[i].page] = &value.Pages[i].pageMeta
		}
		for text != "" {
			var record string
			record, text, _ = strings.Cut(text, ",")
			head, rest, ok := strings.Cut(record, " ")
			if last, ok = grown(last, head, ok); !ok {
				return nil, errForm
			}
			out.terms, out.data = append(out.terms, last), append(out.data, rest)
		}
		return out, nil
	})
}

// grown restores a term from its head, which says how long the prefix is that it shares with the preceding term. The
// size of the term is limited, so that the terms of a forged shard cannot grow without limit.
func grown(last, head string, ok bool) (string, bool) {
	d := numbers{text: head}
	n := d.next()
	if !ok || d.bad || n > len(last) || len(head) > 4*maxTerm {
		return "", false
	}
	at := n
	if units16(last) != len(last) {
		at = 0
		for i, r := range last + " " {
			if at = i; n <= 0 {
				break
			}
			if n--; r > 0xFFFF {
				n--
			}
		}
	}
	out := last[:at] + head[d.at:]
	return out, len(out) <= 4*maxTerm
}

// spelling is a word of the list with its frequency rank.
type spelling struct {
	text string
	rank int
}

func (x *Index) words() ([]spelling, error) {
	if x.entry.Words == "" {
		return nil, nil
	}
	return shard(x, fileName(wordsName, x.entry.Words), func(data []byte) (out []spelling, err error) {
		var text string
		if err := unwrap(wordsName, data, &text); err != nil {
			return nil, err
		}
		last := ""
		for text != "" {
			head, rest, ok := strings.Cut(text, " ")
			if last, ok = grown(last, head, ok); !ok || rest == "" {
				return nil, errForm
			}
			out, text = append(out, spelling{last, digitOf(rest[0])}), rest[1:]
		}
		return out, nil
	})
}

// textPart is a shard of text.
type textPart struct {
	Pages  []pageMeta  `json:"p"` // the pages whose chunks it contains
	Chunks [][5]string `json:"c"` // anchor, heading, text, code and, at the start of a page, its description
}

// pageMeta holds path, title, crumbs, the name of the page unless it equals the title, and its title in the
// navigation unless it is the same.
type pageMeta struct {
	path, title, name, sidebar string
	crumbs                     []string
}

func (m *pageMeta) UnmarshalJSON(data []byte) error {
	all := [5]any{&m.path, &m.title, &m.crumbs, &m.name, &m.sidebar}
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("read page of search shard: %w", err)
	}
	if m.name == "" {
		m.name = m.title
	}
	return nil
}

// namedPage is a page with its number.
type namedPage struct {
	page int
	pageMeta
}

func (m *namedPage) UnmarshalJSON(data []byte) error {
	all := [6]any{&m.page, &m.path, &m.title, &m.crumbs, &m.name, &m.sidebar}
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("read page of search shard: %w", err)
	}
	if m.name == "" {
		m.name = m.title
	}
	return nil
}

// text returns a chunk and its page.
func (x *Index) text(page, at int) (*pageMeta, *[5]string, error) {
	i := holder(x.docs, at)
	part, err := x.textPart(i)
	if err != nil {
		return nil, nil, err
	}
	inShard := page - holder(x.pages, x.docs[i])
	if inShard < 0 || inShard >= len(part.Pages) || at-x.docs[i] >= len(part.Chunks) {
		return nil, nil, errForm
	}
	return &part.Pages[inShard], &part.Chunks[at-x.docs[i]], nil
}

// holder returns the index of the part that contains a chunk. starts contains the first chunk of each part, and the
// end.
func holder(starts []int, chunk int) int {
	i, ok := slices.BinarySearch(starts, chunk)
	if !ok {
		i--
	}
	for i+1 < len(starts) && starts[i+1] <= chunk { // skip parts without chunks
		i++
	}
	return i
}
