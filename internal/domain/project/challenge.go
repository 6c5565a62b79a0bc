package project

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
)

const (
	challengeLabel = "_lectern-challenge."
	// ChallengePath is the prefix of the paths of files with which a host proves control of its domain. Sites published
	// by this server never serve files below it, because site content does not prove that.
	ChallengePath = "/.well-known/lectern-challenge/"

	challengeFileLength = 20
)

// Challenge is what an organization publishes to prove that it controls a domain, in a TXT record or in a file on the
// host. It is derived from the server's master key and not stored, so it stays the same and can be checked again. It
// does not have to be secret: for the same domain, every organization has a different challenge.
type Challenge struct {
	Record string // name of the TXT record
	Value  string // value of the record, and content of the file
	// path of the file. It does not contain the value, so that a host that merely echoes paths in its responses does
	// not pass
	Path string
}

// NewChallenge derives an organization's challenge for a domain. It depends only on the host name, so all paths on the
// host have the same challenge.
func NewChallenge(master []byte, organizationID, domain string) Challenge {
	domain = HostOf(domain)
	return Challenge{
		Record: challengeLabel + domain,
		Value:  "lectern-" + derive(master, "domain-value", organizationID, domain),
		Path:   ChallengePath + derive(master, "domain-file", organizationID, domain)[:challengeFileLength],
	}
}

// derive returns 43 base62 digits of HMAC-SHA256(master, words joined by spaces). No word may contain a space.
func derive(master []byte, words ...any) string {
	mac := hmac.New(sha256.New, master)
	for i, w := range words {
		if i > 0 {
			fmt.Fprint(mac, " ")
		}
		fmt.Fprint(mac, w)
	}
	n, digit := new(big.Int).SetBytes(mac.Sum(nil)), new(big.Int)
	var out [hookDigits]byte
	for i := len(out) - 1; i >= 0; i-- {
		n.DivMod(n, big.NewInt(int64(len(base62))), digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out[:])
}
