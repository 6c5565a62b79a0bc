package jsrun

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// C8, C2: when a page's context is cancelled, its code ends, long before its own time limit, and later calls fail.
func TestCodeEndsWhenItsPageIsCancelled(t *testing.T) {
	n := newProcesses(t, "serve")
	e := New(Options{Limits: Limits{Time: time.Hour}, Host: Host{Start: n.start}})
	defer e.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := e.Open(ctx, "")
	defer p.Close()
	u := compile(t, nil, "", `1`, `(() => { for (;;); })()`)
	if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := p.Call(u, 1, nil, 0, ast.Span{})
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "not finished in time") {
			t.Errorf("error %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the code is still running")
	}
	if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err == nil {
		t.Error("a later call succeeds")
	}
}
