package sealbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
)

// Key derives the 32-byte key for a purpose from a master key. Each purpose has its own key, so that a value for
// one purpose is never accepted for another.
func Key(master []byte, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, master, nil, purpose, 32)
	if err != nil {
		panic("sealbox: derive key: " + err.Error()) // the length is constant and valid
	}
	return key
}

func newAEAD(master []byte, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(Key(master, purpose))
	if err != nil {
		panic("sealbox: " + err.Error()) // the key has the right length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("sealbox: " + err.Error())
	}
	return aead
}

// Seal encrypts and authenticates a value with AES-256-GCM. owner identifies the owner of the value; Open requires
// the same owner. Seal panics if randomness fails.
func Seal(master []byte, rand io.Reader, purpose, owner string, v any) string {
	plain, err := json.Marshal(v)
	if err != nil {
		panic("sealbox: encode: " + err.Error()) // callers pass only values that can be encoded
	}
	aead := newAEAD(master, purpose)
	nonce := make([]byte, aead.NonceSize())
	if _, err := io.ReadFull(rand, nonce); err != nil {
		panic(fmt.Sprintf("sealbox: read randomness: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, plain, []byte(owner)))
}

// Open decrypts a value from Seal with any of the master keys; the first is the current one. stale means that an older
// key was needed.
func Open(masters [][]byte, purpose, owner, sealed string, v any) (stale, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return false, false
	}
	for i, master := range masters {
		aead := newAEAD(master, purpose)
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
