package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strings"
	"sync"
)

// The format of a key's secret, which is shown once:
//
//	secret   = "lectern_" random checksum
//	random   = 32 base62 characters (190 bits)
//	checksum = 6 base62 characters: CRC-32 (IEEE) of everything before it, most significant digit first
const (
	secretPrefix  = "lectern_"
	secretRandom  = 32
	secretSum     = 6
	secretLen     = len(secretPrefix) + secretRandom + secretSum
	visiblePrefix = 12 // characters of a secret that lists may show
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewSecret creates a key's secret from rand. It panics if rand fails.
func NewSecret(rand io.Reader) string {
	var b strings.Builder
	b.WriteString(secretPrefix)
	for b.Len() < len(secretPrefix)+secretRandom {
		b.WriteByte(randomBase62(rand))
	}
	return b.String() + checksum(b.String())
}

// randomBase62 draws one unbiased character. It discards byte values of 248 and more, because they would favour the
// first eight characters.
func randomBase62(rand io.Reader) byte {
	var one [1]byte
	for {
		if _, err := io.ReadFull(rand, one[:]); err != nil {
			panic(fmt.Sprintf("account: read randomness: %v", err))
		}
		if one[0] < 248 {
			return base62[one[0]%62]
		}
	}
}

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	out := make([]byte, secretSum)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out)
}

// WellFormed reports whether s has the prefix, alphabet, length and checksum of a secret. It does not need stored data,
// so most guesses and typing errors never reach the database (K1).
func WellFormed(s string) bool {
	if len(s) != secretLen || !strings.HasPrefix(s, secretPrefix) {
		return false
	}
	body := s[:secretLen-secretSum]
	for i := len(secretPrefix); i < len(s); i++ {
		if strings.IndexByte(base62, s[i]) < 0 {
			return false
		}
	}
	return s[secretLen-secretSum:] == checksum(body)
}

// Visible returns the part of a secret that may be shown later, so that people can tell keys apart.
func Visible(secret string) string { return secret[:visiblePrefix] }

// Hasher computes the stored form of secrets, a keyed hash that is useless without the server's own key. It is safe for
// concurrent use.
type Hasher struct{ macs *sync.Pool } // of hash.Hash: every API request needs one, and initializing it with the key is half the work

// NewHasher derives the hashing key from the server's master key, so that the two are never the same bytes.
func NewHasher(master []byte) Hasher {
	mac := hmac.New(sha256.New, master)
	mac.Write([]byte("lectern api key hash"))
	key := mac.Sum(nil)
	return Hasher{&sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// Hash returns the stored form of a secret, in hex.
func (h Hasher) Hash(secret string) string {
	mac := h.macs.Get().(hash.Hash)
	defer h.macs.Put(mac)
	mac.Reset()
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))
}
