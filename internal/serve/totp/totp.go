package totp

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

const (
	period    = 30 // seconds per step
	digits    = 6
	modulus   = 1_000_000 // 10^digits
	drift     = 1         // steps of tolerance in both directions, for wrong clocks and slow typists
	secretLen = 20        // bytes, the length of SHA-1's output as recommended by RFC 4226
	minSecret = 16        // bytes, required by RFC 4226
	// maxTyped is the maximum input length: six digits and plenty of spaces.
	maxTyped  = 64
	maxSecret = 256
)

var alphabet = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewSecret generates a secret for apps: 32 characters of base32, 160 random bits. It panics if rand fails, because
// there is no safe way to continue.
func NewSecret(rand io.Reader) string { return alphabet.EncodeToString(random(rand, secretLen)) }

// Match reports whether code is valid for the current time step, the one before or the one after, and returns its
// step. Steps up to lastStep, the step of the last code accepted from this person (0 if none), are no longer valid:
// if ok, the caller must store step, so that a code works only once. Spaces in the code are ignored. An unreadable
// secret never matches.
func Match(secret, code string, now time.Time, lastStep int64) (step int64, ok bool) {
	key, err := parseSecret(secret)
	typed := squeeze(code)
	if err != nil || len(typed) != digits {
		return 0, false
	}
	current := now.Unix() / period
	// The loop always runs to the end. If two steps have the same code, the later one counts, so that the code is
	// used up for both.
	for s := current - drift; s <= current+drift; s++ {
		if subtle.ConstantTimeCompare([]byte(at(key, s)), []byte(typed)) == 1 && s > lastStep {
			step, ok = s, true
		}
	}
	return step, ok
}

// at returns the code for a step, as defined in RFC 4226 section 5.3.
func at(key []byte, step int64) string {
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 15
	return fmt.Sprintf("%0*d", digits, binary.BigEndian.Uint32(sum[offset:])&0x7fffffff%modulus)
}

func parseSecret(secret string) ([]byte, error) {
	if len(secret) > maxSecret {
		return nil, fmt.Errorf("read secret: longer than %d characters", maxSecret)
	}
	key, err := alphabet.DecodeString(secret)
	if err != nil {
		return nil, fmt.Errorf("read secret: not base32")
	}
	if len(key) < minSecret {
		return nil, fmt.Errorf("read secret: shorter than %d bytes", minSecret)
	}
	return key, nil
}

// squeeze removes whitespace; it returns "" if the text is too long to be a code.
func squeeze(text string) string {
	if len(text) > maxTyped {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

func random(rand io.Reader, n int) []byte {
	raw := make([]byte, n)
	if _, err := io.ReadFull(rand, raw); err != nil {
		panic(fmt.Sprintf("totp: read randomness: %v", err))
	}
	return raw
}
