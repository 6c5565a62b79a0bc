package account

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Person is somebody who can sign in; memberships determine what the person may do.
type Person struct {
	ID           string
	Email        string   // unique, normalized by CleanEmail
	Name         string   // preferred name; "" = use the address
	PasswordHash string   // "" = the person does not sign in with a password
	Issuer       string   // the person's identity provider; "" = none
	Subject      string   // the provider's id for the person
	TOTPSealed   string   // secret of the second factor, encrypted; "" = off
	TOTPStep     int64    // the last TOTP time step used, so that no code works twice
	Recovery     []string // keyed hashes of the unused recovery codes
	CreatedAt    time.Time
}

// TwoFactor reports whether sign-in needs a code in addition to the password.
func (p Person) TwoFactor() bool { return p.TOTPSealed != "" }

// Called returns the name to show for the person.
func (p Person) Called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Limits of a password, in characters and bytes. There are no rules about kinds of characters, because only length
// matters.
const (
	MinPassword = 12
	maxPassword = 1024
)

// CheckPassword rejects passwords that are too short or consist of publicly known details of the person.
func CheckPassword(password, email string) error {
	bad := func(sentence, hint string) error {
		return fault.New(fault.Invalid, "weak_password", sentence).WithField("password").WithHint(hint)
	}
	lower := strings.ToLower(password)
	user, _, _ := strings.Cut(email, "@")
	switch {
	case utf8.RuneCountInString(password) < MinPassword:
		return bad("The password must have at least 12 characters.",
			"A few unrelated words are easy to remember and hard to guess.")
	case len(password) > maxPassword:
		return bad("The password must not be longer than 1024 bytes.", "")
	case email != "" && (lower == email ||
		len(user) >= 4 && strings.Trim(strings.ReplaceAll(lower, user, ""), "0123456789!.-_ ") == ""):
		return bad("The password must not be based on the e-mail address.",
			"Choose one that cannot be guessed from the address.")
	case len(distinct(password)) < 5:
		return bad("The password has too few different characters.", "Choose a longer phrase.")
	}
	return nil
}

func distinct(s string) map[rune]bool {
	out := map[rune]bool{}
	for _, r := range s {
		out[r] = true
	}
	return out
}

// CleanPersonName validates a person's display name; it may be empty.
func CleanPersonName(s string) (string, error) {
	n := strings.TrimSpace(s)
	if utf8.RuneCountInString(n) > 100 || strings.ContainsFunc(n, unicode.IsControl) {
		return "", fault.New(fault.Invalid, "invalid_field", "name may have at most 100 printable characters.").
			WithField("name")
	}
	return n, nil
}
