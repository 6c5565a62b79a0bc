package totp

import (
	"encoding/base32"
	"io"
	"strings"
	"unicode"
)

const (
	recoveryCodes = 10
	recoveryLen   = 12 // characters of 5 bits each
	recoveryGroup = 4
	// without i, l, o and u: CleanRecovery converts lookalikes of 0 and 1
	recoveryLetter = "0123456789abcdefghjkmnpqrstvwxyz"
)

// NewRecovery generates the ten codes that a person keeps on paper, such as "7kxq-m2ab-c9fz". Each has 60 random bits
// and can be used once instead of a code from the app. It panics if rand fails.
func NewRecovery(rand io.Reader) []string {
	encoding := base32.NewEncoding(recoveryLetter).WithPadding(base32.NoPadding)
	codes := make([]string, recoveryCodes)
	for i := range codes {
		codes[i] = group(encoding.EncodeToString(random(rand, 8))[:recoveryLen])
	}
	return codes
}

// CleanRecovery normalizes a typed recovery code to the form returned by NewRecovery, for comparison: it ignores
// case, spaces and dashes, and replaces letters that look like digits. It returns "" if the input cannot be a
// recovery code.
func CleanRecovery(typed string) string {
	if len(typed) > maxTyped {
		return ""
	}
	letters := strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r):
			return -1
		case r == 'o':
			return '0'
		case r == 'i', r == 'l':
			return '1'
		}
		return r
	}, typed)
	if len(letters) != recoveryLen || strings.Trim(letters, recoveryLetter) != "" {
		return ""
	}
	return group(letters)
}

func group(letters string) string {
	return letters[:recoveryGroup] + "-" + letters[recoveryGroup:2*recoveryGroup] + "-" + letters[2*recoveryGroup:]
}
