package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Purposes of encrypted values. Each has its own key, so that a value of one kind is never accepted as another.
const (
	forHalf     = "half"     // the password was correct, the second factor is still required
	forTOTP     = "totp"     // stored secret of a second factor
	forSetup    = "setup"    // secret of a second factor that is not turned on yet
	forIDP      = "oidc"     // state kept by a browser while it visits the identity provider
	forRecovery = "recovery" // hashes of recovery codes
	forDevice   = "device"   // a browser in which the person has signed in before
)

const maxSealed = 4096 // bytes; ours are shorter

// derive derives the key for a purpose from one of the server's master keys.
func derive(master []byte, purpose string) []byte { return sealbox.Key(master, info(purpose)) }

func info(purpose string) string { return "lectern sign-in " + purpose }

// seal encrypts and authenticates a value stored in the browser or the database. owner is the person concerned, and
// is needed to decrypt the value; "" = no particular person.
func (d *Service) seal(purpose, owner string, v any) string {
	return sealbox.Seal(d.Masters[0], d.Rand, info(purpose), owner, v)
}

// unseal decrypts a value from seal with any of the master keys. stale means that it was encrypted with an earlier
// key.
func (d *Service) unseal(purpose, owner, sealed string, v any) (stale, ok bool) {
	if len(sealed) > maxSealed {
		return false, false
	}
	return sealbox.Open(d.Masters, info(purpose), owner, sealed, v)
}

// recoveryHash returns the stored form of a person's recovery code: an HMAC, useless without the master key.
func recoveryHash(master []byte, personID, code string) string {
	mac := hmac.New(sha256.New, derive(master, forRecovery))
	mac.Write([]byte(personID + " " + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// mark returns a digest of a person's current secrets. Values that contain the digest become invalid when one of the
// secrets changes.
func mark(secrets ...string) string {
	raw, err := json.Marshal(secrets)
	if err != nil {
		panic("signin: encode: " + err.Error()) // strings can always be encoded
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}
