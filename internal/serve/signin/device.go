package signin

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// A browser in which a person signed in keeps a cookie that proves it. It grants no access: failures in such a browser
// are counted by themselves, so that what strangers type elsewhere does not stop the person.
const (
	deviceLife   = 180 * 24 * time.Hour
	secureDevice = "__Host-lectern-device"
	plainDevice  = "lectern_device"
)

// device is what the cookie holds. It is sealed for the account's address.
type device struct {
	Serial string    `json:"serial"` // under which failures are counted
	Mark   string    `json:"mark"`   // of the password with which it is known: another one forgets it
	Until  time.Time `json:"until"`
}

// newDevice creates the cookie for the browser in which a person signed in. A known browser keeps its serial: each
// sign-in would otherwise leave one more cookie that is counted by itself.
func (d *Service) newDevice(p account.Person, b Browser) string {
	serial, known := d.knownDevice(b, p)
	if !known {
		serial = account.NewToken(d.Rand)
	}
	return d.seal(forDevice, p.Email,
		device{Serial: serial, Mark: mark(p.PasswordHash), Until: d.Now().Add(deviceLife)})
}

// knownDevice reports whether the person signed in in the browser before, since they have their password, and under
// what it is counted. p is the zero person for an address without an account.
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

// LetIn sets the cookies of a signed-in person.
func (d *Service) LetIn(w http.ResponseWriter, r *http.Request, in Entered) {
	if in.Token != "" {
		d.SetCookie(w, r, in.Token)
	}
	if in.Device != "" {
		http.SetCookie(w, &http.Cookie{Name: d.deviceName(r), Value: in.Device, Path: "/",
			MaxAge: int(deviceLife.Seconds()), HttpOnly: true, Secure: d.secure(r), SameSite: http.SameSiteLaxMode})
	}
}
