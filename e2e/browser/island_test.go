package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const counter = `import { useState } from 'react'
export const Counter = ({ start = 0, children }) => {
  const [n, set] = useState(start)
  const [open, show] = useState(true)
  return (
    <div className={n % 2 ? 'counter odd' : 'counter'} style={{ color: 'red', paddingTop: 3 }}>
      <button className="more" onClick={() => set(n + 1)}>count {n}</button>
      <button className="fold" onClick={() => show(!open)}>fold</button>
      {open && <section>{children}</section>}
    </div>
  )
}
export const Field = () => {
  const [text, set] = useState('')
  useEffect(() => { document.documentElement.dataset.mounted = 'yes' }, [])
  return <label htmlFor="f">Name <input id="f" value={text} onChange={(e) => set(e.target.value)} /><output>{text.toUpperCase()}</output></label>
}
export const Gallery = () => {
  const [n, set] = useState(1)
  return (
    <Card title="**Bold** title" icon="star" href="/other">
      <Note>noted {n}</Note>
      <button className="add" onClick={() => set(n + 1)}>add</button>
      {n > 1 && <a className="late" href="/other#x">late</a>}
    </Card>
  )
}
`

func counters(t *testing.T) string {
	return site(t, "snippets/counter.jsx", counter, "other.mdx", "# Other\n", "index.mdx", `---
title: Home
---
import { Counter, Field, Gallery } from '/snippets/counter.jsx'

<Counter start={5}>
  **kept** and <Tooltip tip="x">more</Tooltip>
</Counter>

<Counter start={40} />

<Field />

<Gallery />
`)
}

func TestIslandHasServerHTMLWithoutScripts(t *testing.T) {
	t.Parallel()
	dir := counters(t)
	html, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"count 5", "count 40", "<strong>kept</strong>", "noted 1",
		"<lectern-island data-unit=\"index.mdx\""} {
		if !strings.Contains(string(html), want) {
			t.Errorf("%s is not in the page", want)
		}
	}
}

func TestIslandsHydrateIndependently(t *testing.T) {
	t.Parallel()
	p := open(t, counters(t), "index.html")
	p.waitFor(`document.querySelectorAll("lectern-island[data-alive]").length === 4`)
	text := func(selector string) string {
		return eval[string](p, `document.querySelector('`+selector+`').textContent.trim()`)
	}
	first, second := "lectern-island:nth-of-type(1) ", "lectern-island:nth-of-type(2) "
	p.expectEqual("before", text(first+".more")+", "+text(second+".more"), "count 5, count 40")
	p.click(first + ".more")
	p.click(first + ".more")
	p.click(second + ".more")
	p.waitFor(`document.querySelector('` + first + `.more').textContent === "count 7"`)
	p.expectEqual("after", text(first+".more")+", "+text(second+".more"), "count 7, count 41")
	p.expectEqual("content passed in", eval[string](p, `document.querySelector('`+first+`strong').textContent`), "kept")
	p.expectEqual("style after the class changed",
		eval[string](p, `(() => { const s = getComputedStyle(document.querySelector('`+second+
			`.counter.odd')); return s.color + ' ' + s.paddingTop })()`), "rgb(255, 0, 0) 3px")
	p.checkConsole()
}

func TestIslandKeepsNodesOfItsContent(t *testing.T) {
	t.Parallel()
	p := open(t, counters(t), "index.html")
	p.waitFor(`document.querySelectorAll("lectern-island[data-alive]").length === 4`)
	eval[bool](p, `(document.querySelector('lectern-slot strong').mine = true)`)
	p.click(".fold")
	p.waitFor(`document.querySelector('lectern-slot strong') === null`)
	p.click(".fold")
	p.waitFor(`document.querySelector('lectern-slot strong') !== null`)
	if !eval[bool](p, `document.querySelector('lectern-slot strong').mine === true`) {
		t.Error("the content is a copy")
	}
	p.checkConsole()
}

func TestEffectsRunAndInputUpdatesState(t *testing.T) {
	t.Parallel()
	p := open(t, counters(t), "index.html")
	p.waitFor(`document.documentElement.dataset.mounted === 'yes'`)
	eval[bool](p,
		`(() => { const f = document.querySelector('#f'); f.focus(); f.value = 'ada'; return f.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	p.waitFor(`document.querySelector('output').textContent === 'ADA'`)
	p.expectEqual("label", eval[string](p, `document.querySelector('label').htmlFor`), "f")
	p.checkConsole()
}

func TestHydrationKeepsServerHTML(t *testing.T) {
	t.Parallel()
	dir := counters(t)
	p := open(t, dir, "index.html")
	// The nodes themselves are compared, not only their text: hydration must not rebuild anything.
	eval[bool](p,
		`(window.before = [...document.querySelectorAll('.card, .card *')].filter((e) => !e.closest('svg') || e.localName === 'svg')).length > 0`)
	p.waitFor(`document.querySelectorAll("lectern-island[data-alive]").length === 4`)
	gone := eval[string](p, `before.filter((e) => !e.isConnected).map((e) => e.outerHTML).join("\n")`)
	p.expectEqual("replaced", gone, "")
	p.expectEqual("title", eval[string](p,
		`document.querySelector('.card-title').innerHTML.includes('<strong>Bold</strong>') ? 'kept' : document.querySelector('.card-title').innerHTML`), "kept")
	link := eval[string](p, `document.querySelector('.card-link').href`)
	p.click(".add")
	p.waitFor(`document.querySelector('.late') !== null`)
	p.expectEqual("text", eval[string](p, `document.querySelector('.callout-body').textContent.trim()`), "noted 2")
	p.expectEqual("link", eval[string](p, `document.querySelector('.card-link').href`), link)
	p.expectEqual("link made here", eval[string](p, `document.querySelector('.late').href`),
		"file://"+filepath.ToSlash(filepath.Join(dir, "other.html"))+"#x")
	p.checkConsole()
}
