package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// person signs in with an address and a password.
type person struct{ email, password string }

var owner = person{"owner@example.com", "paper lantern over gravel"}

// withoutScripts lets the pages of a tab run none.
func (p *page) withoutScripts() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		p.t.Fatal(err)
	}
}

// dismisses closes every box that scripts of a page put in the way.
func (p *page) dismisses() {
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

// mayRead lets pages of an origin read and write the clipboard, as a person does who is asked.
func (p *page) mayRead(origin string) {
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

// awaits waits for an expression to be true in whatever document the tab shows, also where pages may run no scripts.
func (p *page) awaits(expression string) {
	p.t.Helper()
	deadline, tick := time.After(patience), time.NewTicker(15*time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := p.holds(expression)
		if ok {
			return
		}
		if p.ctx.Err() != nil {
			p.t.Fatalf("waiting for %s: %v", expression, p.ctx.Err())
		}
		select {
		case <-deadline:
			text, gone := chromedp.Run(p.ctx,
				chromedp.Evaluate[string](
					`location.href + '\n' + (document.querySelector('main') ?? document.body).innerText`))
			p.t.Fatalf("waiting for %s: %v %v\n%.3000s", expression, err, gone, text)
		case <-tick.C:
		}
	}
}

// holds reports whether an expression is true now. A question that goes down with its document is given up soon.
func (p *page) holds(expression string) (bool, error) {
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Second)
	defer cancel()
	return chromedp.Run(ctx,
		chromedp.Evaluate[bool](`(() => { try { return Boolean(`+expression+`) } catch { return false } })()`))
}

// goes opens an address and waits for its document.
func (p *page) goes(address string) {
	p.t.Helper()
	run(p, chromedp.Navigate(address))
	p.awaits(`document.readyState === 'complete' && location.href !== 'about:blank'`)
}

// path is where the tab is.
func (p *page) path() string { p.t.Helper(); return eval[string](p, `location.pathname`) }

// text is what a person reads in an element.
func (p *page) text(selector string) string {
	p.t.Helper()
	return strings.TrimSpace(eval[string](p, `document.querySelector(`+quote(selector)+`)?.textContent ?? ''`))
}

// there reports whether the page has such an element.
func (p *page) there(selector string) bool {
	p.t.Helper()
	return eval[bool](p, `document.querySelector(`+quote(selector)+`) !== null`)
}

func quote(s string) string { return "`" + strings.ReplaceAll(s, "`", "\\`") + "`" }

// fill types into a field, over what is in it.
func (p *page) fill(selector, text string) {
	p.t.Helper()
	eval[bool](p, `(document.querySelector(`+quote(selector)+`).value = '', true)`)
	run(p, chromedp.SendKeys(chromedp.CSS(selector), text))
}

// choose sets a list to one of its values.
func (p *page) choose(selector, value string) {
	p.t.Helper()
	run(p, chromedp.SetValue(chromedp.CSS(selector), value))
	p.same(selector, eval[string](p, `document.querySelector(`+quote(selector)+`).value`), value)
}

// send clicks what leads to another document, such as a form's button, and waits for that.
func (p *page) send(selector string) {
	p.t.Helper()
	p.awaits(`document.readyState === 'complete'`) // until its style sheet is there, a page moves under the pointer
	p.mark()
	p.click(selector)
	p.awaits(`window.sameDocument === undefined && document.readyState === 'complete'`)
}

// makeOwner opens the link that the server printed and makes the owner's account.
func (p *page) makeOwner(f *fresh) {
	p.t.Helper()
	if f.link == "" {
		p.t.Fatal("the server printed no link for an owner")
	}
	p.join(f.link, owner)
}

// join uses a link of invitation.
func (p *page) join(link string, who person) {
	p.t.Helper()
	p.goes(link)
	if !eval[bool](p, `document.querySelector('#email').readOnly`) {
		p.fill("#email", who.email)
	}
	p.fill("#new-password", who.password)
	p.send("main form.stack button.main")
	p.same("where one arrives", p.path(), "/dashboard/")
}

// signIn fills in the form of the page that the tab shows.
func (p *page) signIn(who person) {
	p.t.Helper()
	p.fill("#email", who.email)
	p.fill("#password", who.password)
	p.send("main form.stack button.main")
}

func (p *page) signOut() {
	p.t.Helper()
	p.send(`.side form[action="/dashboard/sign-out"] button`)
	p.same("where one arrives", p.path(), "/dashboard/sign-in")
}

// picture keeps what the page looks like, where that is asked for.
func (p *page) picture(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), run(p, chromedp.FullScreenshot(100)),
		0o600); err != nil {
		p.t.Fatal(err)
	}
}
