package browser

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// When a live update replaces a part of a page, the reader's unfolded sections, selection and focus in it are
// preserved. A hidden tab has no stream, because browsers open only six connections to a server for all tabs together.
func TestLiveUpdateKeepsReaderState(t *testing.T) {
	t.Parallel()
	b := startBoard(t)
	files := map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nHome.\n"}
	site := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)})
	job := b.queue(site)
	p := tab(t)
	replaced := func(do string) {
		t.Helper()
		eval[bool](p, `(`+do+`, window.part = document.querySelector('#progress h2'), true)`)
		b.Advance(2 * time.Minute) // relative times change
		p.waitFor(`!window.part.isConnected`)
	}
	b.open(p, "/dashboard/exports/"+job.ID)
	p.markDocument()
	p.waitFor(`document.querySelector('#cancel') !== null`)
	replaced(
		`document.querySelector('#cancel').open = document.querySelector('#cancel details.api').open = true, document.querySelector('#cancel button.danger').focus()`)
	p.waitFor(
		`document.querySelector('#cancel').open && document.querySelector('#cancel details.api').open && document.activeElement.matches('#cancel button.danger')`)
	b.runNextTask()
	p.waitFor(`document.querySelector('#format') !== null`)
	replaced(`document.querySelector('#format').value = 'zip', document.querySelector('#format').focus()`)
	p.waitFor(`document.querySelector('#format').value === 'zip' && document.activeElement.id === 'format'`)

	fetched := `performance.getEntriesByName(location.href, 'resource').length`
	eval[bool](p, `(window.part = document.querySelector('#progress h2'), window.fetches = `+fetched+`,
		document.body.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true})))`)
	b.Advance(2 * time.Minute)
	p.waitFor(fetched + ` > window.fetches`)
	if !eval[bool](p, `window.part.isConnected`) {
		t.Error("a part is replaced while the mouse button is pressed on it")
	}
	eval[bool](p, `document.body.dispatchEvent(new PointerEvent('pointerup', {bubbles: true}))`)
	p.waitFor(`!window.part.isConnected`)

	hide := func(hidden string) string {
		return `Object.defineProperty(document, 'hidden', {configurable: true, value: ` + hidden +
			`}), document.dispatchEvent(new Event('visibilitychange'))`
	}
	eval[bool](p, `(`+hide("true")+`, window.part = document.querySelector('#progress h2'), true)`)
	b.Advance(2 * time.Minute)
	other := tab(t)
	b.open(other, "/dashboard/exports/"+job.ID)
	other.waitFor(`document.querySelector('#progress').textContent.includes('8 minutes ago')`)
	if !eval[bool](p, `window.part.isConnected`) {
		t.Error("a hidden tab receives live updates")
	}
	eval[bool](p, `(`+hide("false")+`, true)`)
	p.waitFor(`!window.part.isConnected && document.querySelector('#progress').textContent.includes('8 minutes ago')`)
	p.expectSameDocument(true)
	p.checkConsole()
}
