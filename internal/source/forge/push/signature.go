package push

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// CheckHMAC compares a hexadecimal signature with the HMAC-SHA256 of body in constant time. It rejects an empty
// secret, because anyone could sign with it.
func CheckHMAC(signature string, body []byte, secret string) error {
	got, err := hex.DecodeString(signature)
	if err != nil || secret == "" {
		return BadSignature()
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	if !hmac.Equal(got, mac.Sum(nil)) {
		return BadSignature()
	}
	return nil
}

// CheckToken compares a secret that the host sends in plain text. The time it takes does not reveal the secret's
// length.
func CheckToken(token, secret string) error {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(secret))
	if secret == "" || !hmac.Equal(a[:], b[:]) {
		return BadSignature()
	}
	return nil
}

// BadSignature returns the same fault for a missing and for a wrong signature.
func BadSignature() *fault.Error {
	return fault.New(fault.Unauthenticated, "bad_signature", "The event's signature is missing or wrong.").
		WithHint("On the code host, set the webhook's secret to this project's webhook secret.")
}
