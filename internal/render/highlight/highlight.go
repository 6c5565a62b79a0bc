package highlight

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// Limits for highlighting. Code that exceeds them is written as plain text. They depend only on the code, not on time.
const (
	maxBlock = 200 << 10 // bytes of one block
	maxLine  = 5 << 10   // bytes of one line, because many rules look ahead to its end at each character
	maxDepth = 5000      // nested states
	maxSteps = 400       // attempts to match a rule, per character; ordinary code needs about 5
)

// Time limits, for rules that backtrack endlessly on some text. Ordinary code takes far less time even on a busy
// machine, so the same site always produces the same bytes.
const (
	matchTime     = 3 * time.Second // one attempt to match
	blockTime     = 6 * time.Second // a block, plus blockByteTime for each byte
	blockByteTime = 40 * time.Microsecond
)

// Highlighter highlights code and caches results. It is safe for concurrent use. It should be long-lived, because it
// compiles a language's rules when they are first used.
type Highlighter struct {
	languages map[string]*language // by name in lower case
	registry  *chroma.LexerRegistry
	memo      memo
}

// New returns a Highlighter that caches up to about memory bytes of results; 0 disables the cache.
func New(memory int) *Highlighter {
	h := &Highlighter{memo: memo{half: memory / 2}}
	h.languages, h.registry = listLanguages()
	return h
}

// Lines returns the code as HTML, line by line, without line breaks. known is false for an unknown language; the code
// is then plain text. Callers must not change the slices, because they may be shared.
func (h *Highlighter) Lines(lang, code string) (lines [][]byte, known bool) {
	name := canonical(lang)
	l := h.languages[name]
	if l == nil {
		return plain(code), isText(name)
	}
	key := l.lexer.Config().Name
	if lines, ok := h.memo.get(key, code); ok {
		return lines, true
	}
	lines = h.colour(l, code)
	h.memo.put(key, code, lines)
	return lines, true
}

func (h *Highlighter) colour(l *language, code string) [][]byte {
	if tooLarge(code) || !utf8.ValidString(code) {
		return plain(code)
	}
	m := newMeter(len(code))
	defer m.stop()
	tokens, ok := l.tokens(code, "root", m, false)
	if !ok {
		return plain(code)
	}
	return lineHTML(code, tokens)
}

func tooLarge(code string) bool {
	if len(code) > maxBlock {
		return true
	}
	for line := range strings.SplitSeq(code, "\n") {
		if len(line) > maxLine {
			return true
		}
	}
	return false
}

// plain returns code without highlighting.
func plain(code string) [][]byte { return lineHTML(code, nil) }

// meter limits the work on one block. It is used by one goroutine; the timer only sets a flag.
type meter struct {
	steps int // remaining steps
	late  atomic.Bool
	timer *time.Timer
}

func newMeter(size int) *meter {
	m := &meter{steps: maxSteps * (size + 64)}
	m.timer = time.AfterFunc(blockTime+time.Duration(size)*blockByteTime, func() { m.late.Store(true) })
	return m
}

func (m *meter) stop() { m.timer.Stop() }

// spend uses n steps and reports whether work may continue.
func (m *meter) spend(n int) bool {
	m.steps -= n
	return m.steps > 0 && !m.late.Load()
}

// memo caches results in two generations. When the young generation is full, it becomes the old one. Results in the old
// generation that are requested again return to the young one. The key contains the code itself, so keys cannot
// collide.
type memo struct {
	mu         sync.Mutex
	half       int // bytes of one generation
	size       int // of young
	young, old map[memoKey][][]byte
}

type memoKey struct{ lang, code string }

func (m *memo) get(lang, code string) ([][]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := memoKey{lang, code}
	if lines, ok := m.young[key]; ok {
		return lines, true
	}
	lines, ok := m.old[key]
	if ok {
		m.keep(lang, code, lines)
	}
	return lines, ok
}

func (m *memo) put(lang, code string, lines [][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(lang, code, lines)
}

// keep adds a result. It copies the code for the key, because the code is often a substring that would keep a whole
// page in memory.
func (m *memo) keep(lang, code string, lines [][]byte) {
	m.add(memoKey{lang, strings.Clone(code)}, lines)
}

func (m *memo) add(key memoKey, lines [][]byte) {
	cost := len(key.code) + 128
	for _, line := range lines {
		cost += len(line) + 24
	}
	if cost > m.half {
		return
	}
	if m.size+cost > m.half {
		m.old, m.young, m.size = m.young, nil, 0
	}
	if m.young == nil {
		m.young = map[memoKey][][]byte{}
	}
	m.young[key], m.size = lines, m.size+cost
}

var inCode = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\x00", "\uFFFD")

// lineHTML writes code with its tokens, which are in order and cover it from the start. Code after the last token is
// plain text.
func lineHTML(code string, tokens []token) [][]byte {
	var buf bytes.Buffer
	buf.Grow(len(code) + 24*len(tokens))
	ends := make([]int, 0, strings.Count(code, "\n")+1) // the end of each line in buf
	pos, open := 0, ""
	write := func(text, class string) {
		for {
			line, rest, more := strings.Cut(text, "\n")
			if class != open && line != "" {
				closeSpan(&buf, open)
				openSpan(&buf, class)
				open = class
			}
			_, _ = inCode.WriteString(&buf, line) // writing to a buffer never fails
			if !more {
				return
			}
			closeSpan(&buf, open)
			open, text = "", rest
			ends = append(ends, buf.Len())
		}
	}
	for _, t := range tokens {
		write(code[pos:t.end], t.class)
		pos = t.end
	}
	write(code[pos:], "")
	closeSpan(&buf, open)
	ends = append(ends, buf.Len())

	lines, start := make([][]byte, len(ends)), 0
	for i, end := range ends {
		lines[i], start = buf.Bytes()[start:end:end], end
	}
	return lines
}

func openSpan(buf *bytes.Buffer, class string) {
	if class != "" {
		buf.WriteString(`<span class="`)
		buf.WriteString(class)
		buf.WriteString(`">`)
	}
}

func closeSpan(buf *bytes.Buffer, class string) {
	if class != "" {
		buf.WriteString("</span>")
	}
}
