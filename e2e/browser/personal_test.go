package browser

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Readers see their own values, which a token provides; others see the author's default text. The values are shown as
// text, stay in the reader's browser, and apply to every page that the reader opens.
func TestReadersSeeTheirOwnValuesOnPages(t *testing.T) {
	t.Parallel()
	f := startFreshServer(t, nil, "--first-site", "off")
	dir := worktest.Write(t, map[string]string{
		"docs.json": `{"name":"Personal","theme":"mint","colors":{"primary":"#aa2233"},` +
			`"navigation":{"pages":["index","second"]}}`,
		"index.mdx": "---\ntitle: Home\npublic: true\n---\n\nHello {user.firstName ?? \"reader\"} of {user.org?.name}.\n\n" +
			"{user.plan === 'pro' ? <Note>Thank you for pro.</Note> : <Note>Look at <a href=\"/second\">our plans</a>.</Note>}\n",
		"second.mdx": "---\ntitle: Second\npublic: true\n---\n\nYou are {user.firstName || <em>somebody</em>}.\n",
	})
	if _, err := f.CreateProject(t.Context(), client.CreateProject{Name: "Personal", Domain: "personal.localhost",
		Source: client.SourceInput{Path: dir}}); err != nil {
		t.Fatal(err)
	}
	sign := f.handOff(f.project("personal.localhost"), "personal.localhost")
	home := f.site("personal.localhost") + "/"
	const hostile = `<img src=x onerror="document.title='broken'">Ada-canary`
	enter := func(content map[string]any) *page {
		p := tab(t)
		token := sign(map[string]any{"sub": "user-1", "content": content})
		f.waitUntil("the sign-in page", func() bool { p.navigate(home + "login"); return p.exists("a.button") })
		p.navigate(home + "login/jwt#token=" + token + "&next=/")
		p.waitFor(`location.pathname === '/' && document.readyState === 'complete'`)
		return p
	}
	words := func(p *page) string { // the words as the reader sees them, without the title
		shown := eval[string](p, `document.querySelector('article.content').innerText`)
		_, rest, _ := strings.Cut(strings.Join(strings.Fields(shown), " "), " ")
		return rest
	}

	ada := enter(map[string]any{"firstName": hostile, "plan": "pro", "org": map[string]any{"name": "Org-canary"}})
	ada.waitFor(`document.querySelector('article.content').innerText.includes('Org-canary')`)
	ada.expectEqual("what one reader sees", words(ada), "Hello "+hostile+" of Org-canary. Thank you for pro.")
	if ada.exists("article.content img") || eval[string](ada, "document.title") == "broken" {
		t.Error("a value was rendered as markup")
	}
	ada.click(`nav a[href$="/second"]`)
	ada.waitFor(`location.pathname === '/second' && document.querySelector('article.content').innerText.includes('Ada-canary')`)
	ada.expectEqual("the next page", words(ada), "You are "+hostile+".")
	ada.checkConsole()

	bob := enter(map[string]any{"firstName": "Bob-canary"})
	bob.waitFor(`document.querySelector('article.content').innerText.includes('Bob-canary')`)
	bob.expectEqual("what another reader sees", words(bob), "Hello Bob-canary of . Look at our plans.")

	stranger := tab(t)
	f.waitUntil("the public page", func() bool { stranger.navigate(home); return stranger.path() == "/" })
	stranger.expectEqual("what a stranger sees", words(stranger), "Hello reader of . Look at our plans.")
	stranger.checkConsole()

	for _, p := range []*page{ada, bob} {
		for _, path := range []string{"", "index.md", "llms-full.txt", "_lectern/api/search?q=hello"} {
			got := run(p, chromedp.Evaluate[string](`fetch(`+quote(home+path)+`).then(r => r.text())`,
				chromedp.EvalAwaitPromise))
			if strings.Contains(got, "canary") || !strings.Contains(strings.ToLower(got), "hello") {
				t.Errorf("/%s has %s", path, got)
			}
		}
	}
	searched := 0
	err := filepath.WalkDir(f.data, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(name)
		if searched++; strings.Contains(string(raw), "canary") {
			t.Errorf("%s contains a reader's value", name)
		}
		return err
	})
	if err != nil || searched == 0 {
		t.Error(searched, err)
	}
	if log, err := os.ReadFile(f.output); err != nil || strings.Contains(string(log), "canary") {
		t.Errorf("the log contains a reader's value or cannot be read: %v", err)
	}
}
