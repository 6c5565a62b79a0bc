package searchindex

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// termShard is the size of a shard of terms in bytes before compression, which roughly halves it. A word and the terms
// that start with it are usually in the same shard.
const termShard = 32 << 10

// rarity returns the weight of a term, times 16. It depends on the share of chunks that have the term.
func rarity(chunks, with int) int {
	n, d := float64(chunks), float64(with)
	return max(1, int(math.Round(16*math.Log(1+(n-d+0.5)/(d+0.5)))))
}

// writeTerms writes the shards of terms and the list of words. Terms are in byte order. Each consists of the length of
// the prefix shared with the preceding term, its rest, a space, and its numbers: rarity, whether the list was
// truncated, number of chunks minus one, distances, levels.
func (b *Builder) writeTerms(e *entry) error {
	small, err := b.names.small()
	if err != nil {
		return err
	}
	w := termWriter{emit: b.emit, pack: b.opt.Pack, holds: b.opt.Holds, keep: b.cached(), past: b.loadPast(),
		chunks: b.chunks, most: 2 * runtime.GOMAXPROCS(0), named: map[int]bool{}}
	each := func(term []byte, l *list) error {
		if term[len(term)-1] == titleMark {
			if small {
				return nil
			}
			return w.title(&b.names, l)
		}
		return w.add(string(term), l)
	}
	if w.past != nil {
		err = w.mergeChanged(b.runs, each)
	} else if err = b.fewer(); err == nil {
		err = mergeAhead(b.runs, each)
	}
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return err
	}
	if w.keep {
		b.storePast(w.past, w.shards)
	}
	e.First, e.Sums, e.Frequent = w.firsts(), string(w.sums), w.words.frequent()
	f, sum := shardFile(wordsName, quotedText(w.words.text()), b.opt.Pack)
	e.Words = sum
	return b.emit(f)
}

// termWriter splits terms into shards. Shards are packed while the next ones are filled, and written in order.
type termWriter struct {
	emit   func(File) error
	pack   func(data []byte) *output.Packed
	holds  func(name string, sum [32]byte) bool
	keep   bool  // the shards are recorded for later builds
	kept   int   // number of their words
	past   *past // nil = none
	chunks int   // of the index
	most   int   // maximum number of shards that are being packed

	text   []byte
	names  []byte       // pages with a term of the shard in their title, each after a comma
	named  map[int]bool // those pages
	marks  []byte       // terms with the marks of further such pages, each after a comma
	head   []byte       // scratch: a term, and its numbers
	body   []byte
	last   string    // term
	next   pastShard // start and first of the next shard
	done   bool      // the last shard was reused
	shards []*pastShard
	sums   []byte
	queue  []*packing
	words  wordList
}

// firsts returns the first term of each shard, shortened to what readers need.
func (w *termWriter) firsts() string {
	out := make([]string, len(w.shards))
	for i, s := range w.shards {
		out[i] = s.first
	}
	return strings.Join(out, " ")
}

// packing is a shard that is being packed.
type packing struct {
	done  chan struct{} // closed when file and sum are set
	shard *pastShard
	file  File
	sum   string
}

func (w *termWriter) add(term string, l *list) error {
	cut := 0
	if l.n > listMax {
		cut = 1
	}
	w.body = append(w.body[:0], ' ')
	w.body = appendNumber(appendNumber(w.body, rarity(w.chunks, l.n)), cut)
	w.body = append(l.best(w.body), ',')
	w.begin(w.last, term)
	if len(w.text) > 0 && len(w.text)+len(w.names)/2+len(w.marks)+len(w.head)+len(w.body) > termShard {
		same := shared(w.last, term)
		if err := w.end(); err != nil {
			return err
		}
		_, size := utf8.DecodeRuneInString(term[same:])
		if w.next = (pastShard{start: term, first: term[:same+size]}); w.reusable() {
			w.reuse()
			return errReuse
		}
		w.begin("", term)
	}
	if len(w.text) == 0 {
		shard := w.next
		w.shards = append(w.shards, &shard)
	}
	if listable(l.n, l.heading) && spelled(term) {
		w.addWord(listed{term, scoreOf(l.n, l.heading)})
	}
	w.text = append(append(w.text, w.head...), w.body...)
	w.last = term
	return nil
}

// pastWords limits the words in the record of an index. If there are more, the record stores none of them, because it
// would take too much memory.
const pastWords = 200_000

func (w *termWriter) addWord(word listed) {
	if w.kept++; w.kept > pastWords {
		w.keep = false
	}
	if w.keep {
		shard := w.shards[len(w.shards)-1]
		shard.words = append(shard.words, word)
	}
	w.words.put(word.text, word.score)
}

// title adds the pages whose title has the term that was added last.
func (w *termWriter) title(n *names, l *list) error {
	named, marks := n.titled(l)
	if len(marks) > 0 {
		w.marks = appendStrings(append(w.marks, ','), w.last, string(marks))
	}
	for _, page := range named {
		if w.named[page] {
			continue
		}
		meta, err := n.page(page)
		if err != nil {
			return err
		}
		w.named[page] = true
		w.names = appendName(w.names, page, meta)
	}
	return nil
}

// begin writes a term as the length of the prefix that it shares with the preceding one, and the rest.
func (w *termWriter) begin(last, term string) {
	same := shared(last, term)
	w.head = append(appendNumber(w.head[:0], units16(term[:same])), term[same:]...)
}

// end starts packing the current shard, and writes the oldest ones if there are too many.
func (w *termWriter) end() error {
	if len(w.text) == 0 {
		return nil
	}
	p := &packing{done: make(chan struct{}), shard: w.shards[len(w.shards)-1]}
	name := termName + strconv.Itoa(len(w.shards)-1)
	text, names, marks := w.text, w.names, w.marks
	go func() {
		defer close(p.done)
		value := slices.Concat([]byte(`{"t":`), quotedText(text))
		if len(names) > 0 {
			value = slices.Concat(value, []byte(`,"p":[`), names[1:], []byte("]"))
		}
		if len(marks) > 0 {
			value = slices.Concat(value, []byte(`,"m":[`), marks[1:], []byte("]"))
		}
		p.file, p.sum = shardFile(name, append(value, '}'), w.pack)
	}()
	w.queue = append(w.queue, p)
	w.text, w.names, w.marks = make([]byte, 0, cap(text)), nil, nil
	clear(w.named)
	return w.write(w.most)
}

// close writes the remaining shards.
func (w *termWriter) close() error {
	if err := w.end(); err != nil {
		return err
	}
	return w.write(0)
}

// write writes the oldest shards until at most the given number are being packed.
func (w *termWriter) write(most int) error {
	for len(w.queue) > most {
		p := w.queue[0]
		w.queue = w.queue[1:]
		<-p.done
		p.shard.size, p.shard.sum = p.file.Packed.Size, p.file.Packed.SHA256
		w.sums = append(w.sums, p.sum...)
		if err := w.emit(p.file); err != nil {
			return err
		}
	}
	return nil
}

// shared returns the length of the common prefix of two terms in bytes, up to the end of a character.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(b) && b[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// units16 returns the length of text in UTF-16 units, as in browsers.
func units16(text string) (n int) {
	for _, r := range text {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

// quotedText returns text that consists of terms and digits as a JSON string.
func quotedText(text []byte) []byte {
	out := append(make([]byte, 0, len(text)+64), '"')
	return append(appendEscaped(out, text), '"')
}
