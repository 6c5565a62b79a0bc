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

// oneTimeCode returns the code that an authenticator app shows at a time, computed by an independent implementation of
// RFC 6238.
func oneTimeCode(p *page, secret string, at time.Time) string {
	p.t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		p.t.Fatalf("the secret %q: %v", secret, err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30) // writing to a hash never fails
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

// checkTwoFactor turns on two-factor authentication with the secret that the page shows. After that, signing in needs a
// code from it, or one of the recovery codes, which work once (K10).
func checkTwoFactor(p *page, f *freshServer) {
	who := p.joinAs(f, "careful@example.com", "editor")
	begin := func() {
		p.signOut()
		p.navigate(f.url + "/dashboard/sign-in")
		p.signIn(who)
		p.expectEqual("what the password alone opens", p.text("h1"), "Two-factor sign-in")
	}
	p.navigate(f.url + "/dashboard/account")
	p.clickAndLoad(`form[action$="/two-factor/begin"] button`)
	p.checkLook("two-factor-setup")
	secret := p.text(".setup .copy code")
	if !eval[bool](p, `document.querySelector('.qr svg').getBoundingClientRect().width > 100`) {
		p.t.Error("there is no QR code to scan")
	}
	p.fill("#code", "000000")
	p.fill("#setup-current", who.password)
	p.clickAndLoad(`form[action$="/two-factor/confirm"] button.main`)
	if p.text("#code-error")+p.text(".alert") == "" || p.text(".setup .copy code") != secret {
		p.t.Error("a wrong code shows no error, or the secret has changed")
	}
	now := time.Now()
	p.fill("#code", oneTimeCode(p, secret, now))
	p.fill("#setup-current", who.password)
	p.clickAndLoad(`form[action$="/two-factor/confirm"] button.main`)
	spare := strings.Fields(p.text("#recovery pre"))
	if len(spare) != 10 {
		p.t.Fatalf("the recovery codes: %q", spare)
	}
	p.checkLook("two-factor-codes")

	begin()
	p.checkLook("two-factor-sign-in")
	p.fill("#code", oneTimeCode(p, secret, now)) // a second time
	p.clickAndLoad("main form.stack button.main")
	if p.path() != "/dashboard/sign-in/code" || p.text(".alert")+p.text("#code-error") == "" {
		p.t.Errorf("a used code leads to %s", p.path())
	}
	p.fill("#code", oneTimeCode(p, secret, now.Add(30*time.Second))) // a clock that is slightly fast
	p.clickAndLoad("main form.stack button.main")
	p.expectEqual("where a code leads", p.path(), "/dashboard/")

	begin()
	p.fill("#code", strings.ToUpper(spare[3]))
	p.clickAndLoad("main form.stack button.main")
	p.expectEqual("where a code for lost phones leads", p.path(), "/dashboard/account")
	if !strings.Contains(p.text("#two-factor"), "9 recovery codes left") {
		p.t.Errorf("the page shows %s", p.text("#two-factor"))
	}
	begin()
	p.fill("#code", spare[3])
	p.clickAndLoad("main form.stack button.main")
	if p.path() != "/dashboard/sign-in/code" {
		p.t.Error("a recovery code works twice")
	}
	p.checkConsoleExcept(refused, axeStyles)
}
