package browser

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// person is someone who signs in with an email address and a password.
type person struct{ email, password string }

var owner = person{"owner@example.com", "paper lantern over gravel"}

// withoutScripts disables scripts in the tab.
func (p *page) withoutScripts() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		p.t.Fatal(err)
	}
}

// acceptDialogs accepts every dialog that the page's scripts open.
func (p *page) acceptDialogs() {
	go func() {
		for _, err := range chromedp.Events(p.ctx, cdppage.JavascriptDialogOpening) {
			if err != nil {
				return
			}
			// the page may be gone
			_, _ = chromedp.Call(p.ctx, cdppage.HandleJavaScriptDialog,
				cdppage.HandleJavaScriptDialogParams{Accept: true})
		}
	}()
}

// allowClipboard grants pages of an origin access to the clipboard, as a person would when asked.
func (p *page) allowClipboard(origin string) {
	p.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(p.ctx, browser.SetPermission,
			browser.SetPermissionParams{Permission: &browser.PermissionDescriptor{Name: name},
				Setting: browser.PermissionSettingGranted, Origin: origin,
				BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// navigate opens an address and waits for its document.
func (p *page) navigate(address string) {
	p.t.Helper()
	run(p, chromedp.Navigate(address))
	p.waitFor(`document.readyState === 'complete' && location.href !== 'about:blank'`)
}

// path returns the path of the tab's address.
func (p *page) path() string { p.t.Helper(); return eval[string](p, `location.pathname`) }

// text returns the trimmed text of an element, or "" if there is none.
func (p *page) text(selector string) string {
	p.t.Helper()
	return strings.TrimSpace(eval[string](p, `document.querySelector(`+quote(selector)+`)?.textContent ?? ''`))
}

// exists reports whether an element matches the selector.
func (p *page) exists(selector string) bool {
	p.t.Helper()
	return eval[bool](p, `document.querySelector(`+quote(selector)+`) !== null`)
}

func quote(s string) string { return "`" + strings.ReplaceAll(s, "`", "\\`") + "`" }

// fill types into a field, replacing its content.
func (p *page) fill(selector, text string) {
	p.t.Helper()
	eval[bool](p, `(document.querySelector(`+quote(selector)+`).value = '', true)`)
	run(p, chromedp.SendKeys(chromedp.CSS(selector), text))
}

// selectOption chooses an option of a select element by its value.
func (p *page) selectOption(selector, value string) {
	p.t.Helper()
	run(p, chromedp.SetValue(chromedp.CSS(selector), value))
	p.expectEqual(selector, eval[string](p, `document.querySelector(`+quote(selector)+`).value`), value)
}

// clickAndLoad clicks something that loads another document, such as a form's button, and waits for the document.
func (p *page) clickAndLoad(selector string) {
	p.t.Helper()
	p.waitFor(`document.readyState === 'complete'`) // the page may move until its style sheet is loaded
	p.markDocument()
	p.click(selector)
	p.waitFor(anotherDocument)
}

// anotherDocument is true in a document that was loaded after markDocument.
const anotherDocument = `window.sameDocument === undefined && document.readyState === 'complete'`

// followLink follows a link on a live page and waits for its document. It does not click the link's position: the page
// may grow before the click, which would then hit something else.
func (p *page) followLink(selector string) {
	p.t.Helper()
	p.markDocument()
	eval[bool](p, `(document.querySelector(`+quote(selector)+`).click(), true)`)
	p.waitFor(anotherDocument)
}

// makeOwner opens the link that the server printed and creates the owner's account.
func (p *page) makeOwner(f *freshServer) {
	p.t.Helper()
	if f.link == "" {
		p.t.Fatal("the server printed no link for an owner")
	}
	p.join(f.link, owner)
}

// join uses an invitation link.
func (p *page) join(link string, who person) {
	p.t.Helper()
	p.navigate(link)
	if !eval[bool](p, `document.querySelector('#email').readOnly`) {
		p.fill("#email", who.email)
	}
	p.fill("#new-password", who.password)
	p.clickAndLoad("main form.stack button.main")
	p.expectEqual("where one arrives", p.path(), "/dashboard/")
}

// signIn fills in and sends the sign-in form that the tab shows.
func (p *page) signIn(who person) {
	p.t.Helper()
	p.fill("#email", who.email)
	p.fill("#password", who.password)
	p.clickAndLoad("main form.stack button.main")
}

func (p *page) signOut() {
	p.t.Helper()
	p.clickAndLoad(`.side form[action="/dashboard/sign-out"] button`)
	p.expectEqual("where one arrives", p.path(), "/dashboard/sign-in")
}

// screenshot writes a picture of the page if -shots is set.
func (p *page) screenshot(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), run(p, chromedp.FullScreenshot(100)),
		0o600); err != nil {
		p.t.Fatal(err)
	}
}
