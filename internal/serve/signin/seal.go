package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Purposes of sealed values. Each has a key of its own, so that a value of one kind never passes for another.
const (
	forHalf     = "half"     // a password was right, the second factor is still to come
	forTOTP     = "totp"     // stored secret of a second factor
	forSetup    = "setup"    // secret of a second factor that is not on yet
	forIDP      = "oidc"     // what a browser keeps while it is at the identity provider
	forRecovery = "recovery" // hashes of recovery codes
	forDevice   = "device"   // a browser in which the person signed in before
)

const maxSealed = 4096 // bytes; ours are shorter

// derive makes the key for a purpose from one of the server's master keys.
func derive(master []byte, purpose string) []byte { return sealbox.Key(master, info(purpose)) }

func info(purpose string) string { return "lectern sign-in " + purpose }

// seal encrypts and authenticates a value that the browser or a database keeps for us. owner is whom it is about, and
// must be given again to open it; "" = no particular person.
func (d *Service) seal(purpose, owner string, v any) string {
	return sealbox.Seal(d.Masters[0], d.Rand, info(purpose), owner, v)
}

// unseal opens what seal made, with whichever master key did. stale is set when it was an earlier one than today's.
func (d *Service) unseal(purpose, owner, sealed string, v any) (stale, ok bool) {
	if len(sealed) > maxSealed {
		return false, false
	}
	return sealbox.Open(d.Masters, info(purpose), owner, sealed, v)
}

// recoveryHash returns the stored form of a person's recovery code under a master key: useless without that key.
func recoveryHash(master []byte, personID, code string) string {
	mac := hmac.New(sha256.New, derive(master, forRecovery))
	mac.Write([]byte(personID + " " + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// mark returns a digest of a person's current secrets: values that contain it become invalid when one of them changes.
func mark(secrets ...string) string {
	raw, err := json.Marshal(secrets)
	if err != nil {
		panic("signin: encode: " + err.Error()) // texts always encode
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}
