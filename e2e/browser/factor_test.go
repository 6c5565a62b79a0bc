package browser

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// oneTimeCode is what an authenticator app shows at a time, worked out by hand from RFC 6238.
func oneTimeCode(p *page, secret string, at time.Time) string {
	p.t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		p.t.Fatalf("the secret %q: %v", secret, err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30) // a hash takes everything
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

// twoFactors: somebody turns on the second factor with the secret that the page shows, and then needs a code of it, or
// one of the codes for lost phones, once (K10).
func twoFactors(p *page, f *fresh) {
	who := p.invited(f, "careful@example.com", "editor")
	begin := func() {
		p.signOut()
		p.goes(f.url + "/dashboard/sign-in")
		p.signIn(who)
		p.same("what the password alone opens", p.text("h1"), "Two-factor sign-in")
	}
	p.goes(f.url + "/dashboard/account")
	p.send(`form[action$="/two-factor/begin"] button`)
	p.look("two-factor-setup")
	secret := p.text(".setup .copy code")
	if !eval[bool](p, `document.querySelector('.qr svg').getBoundingClientRect().width > 100`) {
		p.t.Error("there is no picture to scan")
	}
	p.fill("#code", "000000")
	p.fill("#setup-current", who.password)
	p.send(`form[action$="/two-factor/confirm"] button.main`)
	if p.text("#code-error")+p.text(".alert") == "" || p.text(".setup .copy code") != secret {
		p.t.Error("a wrong code is not told, or the secret is another one now")
	}
	now := time.Now()
	p.fill("#code", oneTimeCode(p, secret, now))
	p.fill("#setup-current", who.password)
	p.send(`form[action$="/two-factor/confirm"] button.main`)
	spare := strings.Fields(p.text("#recovery pre"))
	if len(spare) != 10 {
		p.t.Fatalf("the codes for lost phones: %q", spare)
	}
	p.look("two-factor-codes")

	begin()
	p.look("two-factor-sign-in")
	p.fill("#code", oneTimeCode(p, secret, now)) // a second time
	p.send("main form.stack button.main")
	if p.path() != "/dashboard/sign-in/code" || p.text(".alert")+p.text("#code-error") == "" {
		p.t.Errorf("a used code leads to %s", p.path())
	}
	p.fill("#code", oneTimeCode(p, secret, now.Add(30*time.Second))) // a clock that is a little fast
	p.send("main form.stack button.main")
	p.same("where a code leads", p.path(), "/dashboard/")

	begin()
	p.fill("#code", strings.ToUpper(spare[3]))
	p.send("main form.stack button.main")
	p.same("where a code for lost phones leads", p.path(), "/dashboard/account")
	if !strings.Contains(p.text("#two-factor"), "9 recovery codes left") {
		p.t.Errorf("the page says %s", p.text("#two-factor"))
	}
	begin()
	p.fill("#code", spare[3])
	p.send("main form.stack button.main")
	if p.path() != "/dashboard/sign-in/code" {
		p.t.Error("a code for lost phones works twice")
	}
	p.quietBut(refused, axeStyles)
}
