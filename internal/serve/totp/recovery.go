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
	// no i, l, o, u: CleanRecovery reads what looks like 0 and 1 as them
	recoveryLetter = "0123456789abcdefghjkmnpqrstvwxyz"
)

// NewRecovery makes the ten codes that a person keeps on paper, such as "7kxq-m2ab-c9fz"; each is 60 random bits and
// lets its owner in once instead of a code from the app. It panics when randomness fails.
func NewRecovery(rand io.Reader) []string {
	encoding := base32.NewEncoding(recoveryLetter).WithPadding(base32.NoPadding)
	codes := make([]string, recoveryCodes)
	for i := range codes {
		codes[i] = group(encoding.EncodeToString(random(rand, 8))[:recoveryLen])
	}
	return codes
}

// CleanRecovery brings a typed recovery code into the form of NewRecovery, in which it is compared: case, spaces,
// dashes and letters that look like digits do not count. It returns "" for what cannot be a recovery code.
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
