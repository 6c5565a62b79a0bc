package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// counter is a component with state, so a page that uses it has an island.
const counter = `import { useState } from "react";
const Row = ({ label, n }) => <li className="flex gap-2"><b>{label}</b> {n}</li>;
export const Counter = ({ start, labels }) => {
  const [n, setN] = useState(start);
  return <div><button onClick={() => setN(n + 1)}>Add</button><ul>{labels.map((l, i) => <Row key={i} label={l} n={n + i} />)}</ul></div>;
};
`

// plans is a component without state, defined on the page itself.
const plans = `export const Plans = ({ list }) => (
  <ul>{list.filter((p) => p.price >= 0).map((p) => <li key={p.name}><strong>{p.name.toUpperCase()}</strong> {"$" + p.price.toFixed(2)}</li>)}</ul>
);

`

// script measures the additional cost of author code on a page, and of formulas and API pages.
func script(ctx context.Context, o options) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := newPress()
	if err != nil {
		return err
	}
	defer func() { _ = p.math.Close() }() // only frees memory
	fmt.Printf("\none core, a page of about %d bytes\n", medianSize)
	heading("author code", "pages/s", "without", "time ×", "µs/page", "allocs", "KiB")
	for _, w := range []struct {
		name, head, body string
		client           bool
	}{
		{"a component written on the page", plans,
			"<Plans list={[{name: 'one', price: 1}, {name: 'two', price: 2.5}]} />\n\n", false},
		{"an imported component with state (island)", "import { Counter } from \"/snippets/counter.jsx\";\n\n",
			"<Counter start={2} labels={['a', 'b', 'c']} />\n\n", true},
	} {
		with, without, n, err := p.authored(o, w.head, w.body, w.client)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		line(w.name, with, without, n)
	}
	if err := engineParts(o); err != nil {
		return err
	}
	return errors.Join(p.formulas(o), p.descriptions(ctx, o))
}

// authored renders pages with and without a piece of author code.
func (p *press) authored(o options, head, body string, client bool) (with, without cost, n int, err error) {
	n = max(20, o.pages/4)
	var a, b []cost
	for round := range o.rounds + 1 {
		docs := fstest.MapFS{"snippets/counter.jsx": {Data: []byte(counter)}}
		site := expand.New(expand.Options{Src: docs})
		var c, d cost
		for i := range n {
			text := makeSized(uint64(round)<<32|uint64(i)|1<<60, medianSize)
			plain := &ast.File{Name: fmt.Sprintf("a%d.mdx", i), Body: text, Line: 1}
			coded := &ast.File{Name: fmt.Sprintf("b%d.mdx", i), Body: []byte(head + string(text) + body), Line: 1}
			err := errors.Join(
				d.add(func() error { _, err := p.through(site, plain); return err }),
				c.add(func() error {
					e, err := p.through(site, coded)
					if err == nil && (e.Scripts == 0 || client != (len(e.Client) > 0)) {
						err = errors.New("the page did not run its code")
					}
					return err
				}))
			if err != nil {
				return with, without, n, err
			}
		}
		if round > 0 {
			a, b = append(a, c), append(b, d)
		}
	}
	return least(a), least(b), n, nil
}

// makeSized returns a body of a fixed size, without snippets.
func makeSized(seed uint64, size int) []byte {
	a := newAuthor(seed, []string{pagePath(0)})
	for a.Len() < size {
		a.block(kind{})
	}
	return a.Bytes()
}

// through processes a page from its source to HTML.
func (p *press) through(site *expand.Site, file *ast.File) (*expand.Page, error) {
	e, list := site.Page(context.Background(), file)
	if list.HasErrors() {
		return nil, fmt.Errorf("%v", list[0])
	}
	_, err := p.html(e)
	return e, err
}

// engineParts measures the individual steps of running author code.
func engineParts(o options) error {
	n := max(20, o.pages/4)
	docs := fstest.MapFS{"snippets/counter.jsx": {Data: []byte(counter)}}
	at := func(line int) diag.Pos { return diag.Pos{File: "page.mdx", Line: line, Column: 1} }
	source := jsbuild.Source{
		File: "page.mdx",
		ESM:  []jsbuild.Piece{{Text: "import { Counter } from \"/snippets/counter.jsx\";", At: at(1)}},
		Thunks: []jsbuild.Piece{{Text: "<Counter start={2} labels={['a', 'b', 'c']} />", At: at(3)},
			{Text: "1 + 1", At: at(4)}},
	}
	heading("the individual steps", "per second", "", "", "µs", "allocs", "KiB")
	builder := jsbuild.New(docs, nil)
	unit, _, list := builder.Unit(source)
	if unit.Code == nil {
		return fmt.Errorf("compile: %v", list)
	}
	site := jsrun.New(jsrun.Options{})
	call := func(page *jsrun.Page, thunk int) error {
		_, err := page.Call(jsrun.Unit(unit), thunk, &ast.Object{}, 0, ast.Span{})
		return err
	}
	open := site.Open(context.Background(), "x")
	defer open.Close()
	for _, w := range []struct {
		name string
		work func() error
	}{
		{"compile a page's code for the engine", func() error { builder.Unit(source); return nil }},
		{"compile it for the browser", func() error { builder.Client(source, []int{0}); return nil }},
		{"open a VM, run 1 + 1, close it", func() error {
			page := site.Open(context.Background(), "x")
			defer page.Close()
			return call(page, 1)
		}},
		{"run 1 + 1 in an open VM", func() error { return call(open, 1) }},
		{"render the component in an open VM", func() error { return call(open, 0) }},
	} {
		c, err := repeated(o.rounds, n, w.work)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		line(w.name, c, cost{}, n)
	}
	return nil
}

// repeated returns the fastest of several rounds of n calls, after a warm-up call.
func repeated(rounds, n int, work func() error) (cost, error) {
	if err := work(); err != nil {
		return cost{}, err
	}
	list := make([]cost, rounds)
	for i := range list {
		err := list[i].add(func() error {
			for range n {
				if err := work(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return cost{}, err
		}
	}
	return least(list), nil
}

// formulas measures typesetting, uncached and cached.
func (p *press) formulas(o options) error {
	n, next := max(20, o.pages/4), 0
	heading("formulas", "per second", "", "", "µs", "allocs", "KiB")
	tex := func(i int) string {
		return strings.ReplaceAll(`\sum_{k=1}^{N} \frac{a_k^2}{\sqrt{N}} \leq \int_0^1 f(x)\,dx`, "N", fmt.Sprint(i))
	}
	cold, err := repeated(o.rounds, n, func() error {
		next++
		_, err := p.math.Render(tex(next), true)
		return err
	})
	if err != nil {
		return err
	}
	warm, err := repeated(o.rounds, n, func() error { _, err := p.math.Render(tex(next), true); return err })
	line("a formula", cold, cost{}, n)
	line("the same formula again", warm, cost{}, n)
	return err
}
