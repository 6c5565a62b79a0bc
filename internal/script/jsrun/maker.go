package jsrun

import (
	"fmt"
	"sync"
	"time"

	"modernc.org/quickjs"

	"github.com/lectern-docs/lectern/web/npm"
)

// maker creates machines.
type maker struct {
	limits Limits
	now    time.Time
}

func newMaker(l Limits, now time.Time) maker {
	if l.Memory <= 0 {
		l.Memory = 64 << 20
	}
	if l.Time <= 0 {
		l.Time = 5 * time.Second // enough for a busy computer; an idle one needs milliseconds
	}
	if l.Output <= 0 {
		l.Output = 2_000_000
	}
	if now.IsZero() {
		now = time.Unix(0, 0)
	}
	return maker{limits: l, now: now}
}

// prelude returns the prelude compiled to bytecode. All engines share it, because compiling it takes longer than
// most pages take to run.
var prelude = sync.OnceValues(func() ([]byte, error) {
	source, err := npm.Read(npm.FS(), "prelude.js")
	if err != nil {
		return nil, err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	defer vm.Close()
	code, err := vm.Compile(string(source), quickjs.EvalGlobal)
	if err != nil {
		return nil, fmt.Errorf("compile prelude: %w", err)
	}
	return code, nil
})
