package signin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// Purposes of sealed values. Each has a key of its own, so that a value of one kind never passes for another.
const (
	forHalf     = "half"     // a password was right, the second factor is still to come
	forTOTP     = "totp"     // stored secret of a second factor
	forSetup    = "setup"    // secret of a second factor that is not on yet
	forOIDC     = "oidc"     // what a browser keeps while it is at the identity provider
	forRecovery = "recovery" // hashes of recovery codes
	forDevice   = "device"   // a browser in which somebody signed in before
)

const maxSealed = 4096 // bytes; ours are shorter

// derive makes the key for a purpose from one of the server's master keys.
func derive(master []byte, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, master, nil, "lectern sign-in "+purpose, 32)
	if err != nil {
		panic("signin: derive key: " + err.Error()) // the length is ours and fits
	}
	return key
}

func box(master []byte, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(derive(master, purpose))
	if err != nil {
		panic("signin: " + err.Error()) // the key has the right length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("signin: " + err.Error())
	}
	return aead
}

// seal hides a value from whoever keeps it for us, and lets us see if it was changed. owner is whom it is about, and must be told again to
// open it; "" = nobody in particular.
func (d *Desk) seal(purpose, owner string, v any) string {
	plain, err := json.Marshal(v)
	if err != nil {
		panic("signin: encode: " + err.Error()) // our own values always encode
	}
	aead := box(d.Masters[0], purpose)
	nonce := make([]byte, aead.NonceSize())
	if _, err := io.ReadFull(d.Rand, nonce); err != nil {
		panic(fmt.Sprintf("signin: read randomness: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, plain, []byte(owner)))
}

// unseal opens what seal made, with whichever master key did. stale is set when it was an earlier one than today's.
func (d *Desk) unseal(purpose, owner, sealed string, v any) (stale, ok bool) {
	if len(sealed) > maxSealed {
		return false, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return false, false
	}
	for i, master := range d.Masters {
		aead := box(master, purpose)
		if len(raw) < aead.NonceSize() {
			return false, false
		}
		plain, err := aead.Open(nil, raw[:aead.NonceSize()], raw[aead.NonceSize():], []byte(owner))
		if err == nil {
			return i > 0, json.Unmarshal(plain, v) == nil
		}
	}
	return false, false
}

// recoveryHash is the stored form of a person's recovery code under a master key: useless without that key.
func recoveryHash(master []byte, personID, code string) string {
	mac := hmac.New(sha256.New, derive(master, forRecovery))
	mac.Write([]byte(personID + " " + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// mark stands for secrets of a person as they are now: what carries it dies when one of them changes.
func mark(secrets ...string) string {
	raw, err := json.Marshal(secrets)
	if err != nil {
		panic("signin: encode: " + err.Error()) // texts always encode
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}
