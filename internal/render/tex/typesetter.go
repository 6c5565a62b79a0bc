package tex

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"unicode/utf16"

	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/web/npm"
)

// maxTeX limits one formula, in bytes.
const maxTeX = 10_000

// maxEngines limits the number of formulas that are typeset concurrently. An engine takes about 7 MB.
const maxEngines = 8

//go:embed typeset.js
var typesetScript []byte

// Typesetter typesets formulas. It is safe for concurrent use, opens engines when needed, and caches results.
type Typesetter struct {
	program func() ([]byte, error)
	engines chan *jsrun.Script // one element per engine; nil for an engine that is not open yet

	closing sync.Mutex // one Close at a time; otherwise two calls that each hold some engines would wait for each other

	mu   sync.Mutex
	memo memo
}

// New returns a Typesetter that uses the packed program in packs, which is npm.FS. Close it after the last formula.
func New(packs fs.FS) *Typesetter {
	t := &Typesetter{engines: make(chan *jsrun.Script, min(runtime.GOMAXPROCS(0), maxEngines))}
	t.program = sync.OnceValues(func() ([]byte, error) {
		katex, err := npm.Read(packs, "katex.js")
		if err != nil {
			return nil, err
		}
		return append(append(katex, '\n'), typesetScript...), nil
	})
	for range cap(t.engines) {
		t.engines <- nil
	}
	return t
}

// Error describes an error in a formula for its author.
type Error struct {
	Message string
	Offset  int // byte offset of the error in the TeX; -1 if the error concerns the whole formula
}

func (e *Error) Error() string { return "formula: " + e.Message }

// Render typesets a formula, inline or as a block. An *Error is a mistake in the author's TeX; any other error is a
// failure of the program. The bytes are shared and must not be changed.
func (t *Typesetter) Render(tex string, block bool) ([]byte, error) {
	if len(tex) > maxTeX {
		return nil, &Error{Message: fmt.Sprintf("it has %d bytes; the limit is %d", len(tex), maxTeX), Offset: -1}
	}
	key := formula{tex, block}
	t.mu.Lock()
	known, ok := t.memo.find(key)
	t.mu.Unlock()
	if ok {
		return known.html, known.err
	}
	request, err := json.Marshal(map[string]any{"tex": tex, "block": block})
	if err != nil {
		return nil, fmt.Errorf("set formula: %w", err)
	}
	answer, err := t.call(string(request))
	if errors.Is(err, errExhausted) {
		return nil, &Error{Message: "it takes too much time or memory", Offset: -1}
	} else if err != nil {
		return nil, fmt.Errorf("set formula: %w", err)
	}
	set, err := parseAnswer(tex, block, answer)
	if err != nil {
		return nil, fmt.Errorf("set formula: %w", err)
	}
	t.mu.Lock()
	t.memo.add(key, set)
	t.mu.Unlock()
	return set.html, set.err
}

// errExhausted means that an engine gave up on a formula.
var errExhausted = errors.New("engine gave up")

// call borrows an engine. If the engine fails, it is closed, and the next borrower opens another one.
func (t *Typesetter) call(request string) (answer string, err error) {
	engine := <-t.engines
	defer func() { t.engines <- engine }()
	if engine == nil {
		program, err := t.program()
		if err != nil {
			return "", err
		}
		if engine, err = jsrun.OpenScript(program, "typeset"); err != nil {
			return "", err
		}
	}
	answer, err = engine.Call(request)
	if err != nil {
		err = errors.Join(errExhausted, err, engine.Close())
		engine = nil
	}
	return answer, err
}

// Close frees the memory of the engines after current formulas are finished. The Typesetter opens new engines if it
// is used again.
func (t *Typesetter) Close() error {
	t.closing.Lock()
	defer t.closing.Unlock()
	var errs []error
	for range cap(t.engines) {
		if engine := <-t.engines; engine != nil {
			errs = append(errs, engine.Close())
		}
	}
	for range cap(t.engines) {
		t.engines <- nil
	}
	return errors.Join(errs...)
}

// parseAnswer decodes the output of typeset.js. It adds the element that scripts and style sheets use to recognize
// formulas.
func parseAnswer(tex string, block bool, answer string) (result, error) {
	var a struct {
		HTML, Error string
		At          int
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		return result{}, fmt.Errorf("read answer: %w", err)
	}
	if a.Error != "" {
		return result{err: &Error{Message: a.Error, Offset: byteOffset(tex, a.At)}}, nil
	}
	open := `<span data-math="inline">`
	if block {
		open = `<span data-math="block">`
	}
	return result{html: []byte(open + a.HTML + `</span>`)}, nil
}

// byteOffset converts an offset in UTF-16 code units, as used by scripts, to bytes.
func byteOffset(tex string, units int) int {
	if units < 0 {
		return -1
	}
	for i, c := range tex {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(c)
	}
	return len(tex)
}
