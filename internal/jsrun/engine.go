package jsrun

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/quickjs"

	"github.com/lectern-docs/lectern/web/island"
)

// Limits of one page. Zero fields mean the defaults.
type Limits struct {
	Memory int64         // bytes; 64 MB
	Time   time.Duration // of all calls together; 2 s
	Stack  int           // the engine's stack slots, about one per JavaScript call; 0 leaves its own default
	Output int           // characters of one answer; 8 million
}

// grace is how long after its time limit a call may stay inside a built-in before it is left behind.
const grace = time.Second

// maxStray is how many machines that were left behind an engine bears.
const maxStray = 2

// Options of a site.
type Options struct {
	Limits Limits
	Now    time.Time // what new Date() is; the zero time means 1970
}

// Engine makes machines for the pages of one site. It is safe for concurrent use.
type Engine struct {
	limits  Limits
	now     time.Time
	prelude func() ([]byte, error) // bytecode
	stray   atomic.Int32
}

// New makes an engine. The prelude is compiled when the first page needs it.
func New(o Options) *Engine {
	l := o.Limits
	if l.Memory <= 0 {
		l.Memory = 64 << 20
	}
	if l.Time <= 0 {
		l.Time = 2 * time.Second
	}
	if l.Output <= 0 {
		l.Output = 8 << 20
	}
	if o.Now.IsZero() {
		o.Now = time.Unix(0, 0)
	}
	return &Engine{limits: l, now: o.Now, prelude: sync.OnceValues(compilePrelude)}
}

func compilePrelude() ([]byte, error) {
	source, err := island.Prelude()
	if err != nil {
		return nil, err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	defer vm.Close()
	code, err := vm.Compile(source, quickjs.EvalGlobal)
	if err != nil {
		return nil, fmt.Errorf("compile prelude: %w", err)
	}
	return code, nil
}

// Open starts a page. seed is what its random numbers follow from: the same seed gives the same page. The caller closes it.
func (e *Engine) Open(seed string) *Page {
	return &Page{engine: e, seed: seed, left: e.limits.Time}
}
