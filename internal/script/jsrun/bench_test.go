package jsrun

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// BenchmarkHost compares running code in another process and in this one.
func BenchmarkHost(b *testing.B) {
	n := newProcesses(b, "serve")
	u, _, _ := jsbuild.New(nil, nil).Unit(jsbuild.Source{File: "page.mdx", Thunks: []jsbuild.Piece{{Text: "1 + 1"}}})
	unit := Unit{ID: u.ID, Code: u.Code}
	once := func(b *testing.B, p *Page) {
		if _, err := p.Call(unit, 0, nil, 0, ast.Span{}); err != nil {
			b.Fatal(err)
		}
	}
	for _, h := range []struct {
		name string
		host Host
	}{{"inside", Host{}}, {"process", Host{Start: n.start}}} {
		e := New(Options{Host: h.host})
		b.Run(h.name+"/page", func(b *testing.B) {
			for b.Loop() {
				p := e.Open(context.Background(), "")
				once(b, p)
				p.Close()
			}
		})
		b.Run(h.name+"/call", func(b *testing.B) {
			p := e.Open(context.Background(), "")
			defer p.Close()
			for b.Loop() {
				once(b, p)
			}
		})
		e.Close()
	}
	b.Run("process/start", func(b *testing.B) {
		for b.Loop() {
			e := New(Options{Host: Host{Start: n.start}})
			p := e.Open(context.Background(), "")
			once(b, p)
			p.Close()
			e.Close()
		}
	})
}
