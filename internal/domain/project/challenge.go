package project

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
)

const (
	challengeLabel = "_lectern-challenge."
	// ChallengePath is below which a host shows the files that prove its domain. Sites published here never answer
	// there: content of a site is no proof that its author controls the domain.
	ChallengePath = "/.well-known/lectern-challenge/"

	challengeFileLength = 20
)

// Challenge is what an organization shows to prove that it controls a domain, in a TXT record or in a file on the host.
// It is derived from the server's master key and stored nowhere, so it stays the same and can be checked again. It is
// not secret: it is worthless to other organizations, whose challenges for the same domain are others.
type Challenge struct {
	Record string // name of the TXT record
	Value  string // value of the record, and the line that the file has
	// path of the file; it does not contain the value, so a host that repeats paths in its answers proves nothing
	Path string
}

// NewChallenge derives the challenge of an organization for a domain. It is about the host name: all paths below that
// have the same.
func NewChallenge(master []byte, organizationID, domain string) Challenge {
	domain = HostOf(domain)
	return Challenge{
		Record: challengeLabel + domain,
		Value:  "lectern-" + derive(master, "domain-value", organizationID, domain),
		Path:   ChallengePath + derive(master, "domain-file", organizationID, domain)[:challengeFileLength],
	}
}

// derive makes 43 base62 digits of HMAC-SHA256(master, words joined by spaces). No word may contain a space.
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
