package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// tokenLen is the number of base62 characters in a token. They hold 256 bits, so an unkeyed hash of the token can be
// stored.
const tokenLen = 43

// NewToken creates the secret of a session or a link from rand. It panics if rand fails.
func NewToken(rand io.Reader) string {
	var b strings.Builder
	for b.Len() < tokenLen {
		b.WriteByte(randomBase62(rand))
	}
	return b.String()
}

// IsToken reports whether s has the format of a token. Other values do not have to be looked up.
func IsToken(s string) bool {
	return len(s) == tokenLen && strings.Trim(s, base62) == ""
}

// TokenHash returns the stored form of a token, in hex.
func TokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// FormToken returns the token that a session's forms include, to prevent cross-site request forgery. It does not
// reveal the session's token.
func FormToken(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("lectern form"))
	return hex.EncodeToString(mac.Sum(nil))
}
