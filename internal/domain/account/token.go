package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// tokenLen is how many base62 characters a token has: 256 bits, so that its plain hash can be stored.
const tokenLen = 43

// NewToken makes the secret of a session or a link from rand. It panics when randomness fails.
func NewToken(rand io.Reader) string {
	var b strings.Builder
	for b.Len() < tokenLen {
		b.WriteByte(randomBase62(rand))
	}
	return b.String()
}

// IsToken reports whether s has a token's shape; anything else need not be looked up.
func IsToken(s string) bool {
	return len(s) == tokenLen && strings.Trim(s, base62) == ""
}

// TokenHash returns the stored form of a token, in hex.
func TokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// FormToken returns what the forms of a session carry, so that no other site can send them. It does not reveal the
// session's token.
func FormToken(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("lectern form"))
	return hex.EncodeToString(mac.Sum(nil))
}
