package browser

import "testing"

// A component file and a snippet use components that only the page imports.
func TestIslandsUseComponentsImportedByPage(t *testing.T) {
	t.Parallel()
	p := open(t, site(t,
		"snippets/more.jsx",
		"export const More = ({ n, set }) => <button className=\"more\" onClick={() => set(n + 1)}>{label(n)}</button>",
		"snippets/label.jsx", "export const label = (n) => 'count ' + n",
		"snippets/box.jsx",
		"export const Box = ({ start }) => { const [n, set] = useState(start); return <div><More n={n} set={set} /></div> }",
		"snippets/inner.mdx", "<Box start={8} />",
		"index.mdx", `---
title: Home
---
import { Box } from '/snippets/box.jsx'
import { More } from '/snippets/more.jsx'
import { label } from '/snippets/label.jsx'
import Inner from '/snippets/inner.mdx'

<Box start={1} />

<Inner />
`), "index.html")
	p.waitFor(`document.querySelectorAll("lectern-island[data-alive]").length === 2`)
	text := `[...document.querySelectorAll('.more')].map((e) => e.textContent).join(', ')`
	p.expectEqual("before", eval[string](p, text), "count 1, count 8")
	p.click("lectern-island:nth-of-type(2) .more")
	p.waitFor(text + ` === "count 1, count 9"`)
	p.checkConsole()
}

// Links written for other or older tools spell heading ids differently.
func TestAnchorsInOtherSpellingsAreFound(t *testing.T) {
	t.Parallel()
	long := ""
	for range 200 {
		long += "Text.\n\n"
	}
	dir := site(t, "index.mdx", "---\ntitle: Home\n---\n"+long+"## Step 2: `add_dir` & robots.txt\n\n"+long)
	p := open(t, dir, "index.html")
	// a page in the background does not scroll smoothly
	eval[bool](p, `(document.documentElement.style.scrollBehavior = 'auto') !== ''`)
	for _, hash := range []string{"#step-2:-add_dir-&-robots-txt", "#step-2-add_dir--robotstxt",
		"#step-2-add-dir-robots-txt"} {
		p.waitFor(`(scrollTo({ top: 0, behavior: 'instant' }), scrollY === 0)`)
		eval[bool](p, "(location.hash = '"+hash+"') !== ''")
		p.waitFor(`Math.abs(document.querySelector('#content h2').getBoundingClientRect().top) < innerHeight`)
	}
	p.checkConsole()
}
