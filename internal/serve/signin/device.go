package signin

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// A browser in which a person has signed in keeps a cookie as proof of that. The cookie grants no access; it only
// causes failures in this browser to be counted separately, so that strangers' attempts elsewhere do not lock the
// person out.
const (
	deviceLife   = 180 * 24 * time.Hour
	secureDevice = "__Host-lectern-device"
	plainDevice  = "lectern_device"
)

// device is the content of the cookie. It is encrypted for the account's address.
type device struct {
	Serial string `json:"serial"` // key for counting failures
	// identifies the password used to sign in; the cookie becomes invalid when the password changes
	Mark  string    `json:"mark"`
	Until time.Time `json:"until"`
}

// newDevice creates the cookie for a browser in which a person signed in. A known browser keeps its serial: otherwise
// each sign-in would create another cookie with its own count.
func (d *Service) newDevice(p account.Person, b Browser) string {
	serial, known := d.knownDevice(b, p)
	if !known {
		serial = account.NewToken(d.Rand)
	}
	return d.seal(forDevice, p.Email,
		device{Serial: serial, Mark: mark(p.PasswordHash), Until: d.Now().Add(deviceLife)})
}

// knownDevice reports whether the person has signed in with their current password in this browser, and returns the key
// for counting failures. p is the zero person for an address without an account.
func (d *Service) knownDevice(b Browser, p account.Person) (serial string, known bool) {
	var kept device
	if b.device == "" || p.Email == "" {
		return "", false
	}
	if _, ok := d.unseal(forDevice, p.Email, b.device, &kept); !ok || kept.Mark != mark(p.PasswordHash) ||
		!d.Now().Before(kept.Until) {
		return "", false
	}
	return kept.Serial, true
}

func (d *Service) deviceName(r *http.Request) string {
	if d.secure(r) {
		return secureDevice
	}
	return plainDevice
}

// LetIn sets the cookies after a sign-in.
func (d *Service) LetIn(w http.ResponseWriter, r *http.Request, in Entered) {
	if in.Token != "" {
		d.SetCookie(w, r, in.Token)
	}
	if in.Device != "" {
		http.SetCookie(w, &http.Cookie{Name: d.deviceName(r), Value: in.Device, Path: "/",
			MaxAge: int(deviceLife.Seconds()), HttpOnly: true, Secure: d.secure(r), SameSite: http.SameSiteLaxMode})
	}
}
