package blob

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	// period is how long one derived key signs new links. It is at least MaxLinkLife, so that a link expires no later
	// than in the period after the one in which it was signed.
	period = MaxLinkLife
	// skew is how far the clock of another server with the same master may be ahead.
	skew = 5 * time.Second
	// minMaster is the minimum length of a master, in bytes.
	minMaster = 32
)

// Signer signs and verifies links. Keys rotate automatically: each period has its own key, derived from the master, and
// verification accepts the current and the previous period. To rotate the master itself, keep the old one among the
// previous masters for MaxLinkLife. A Signer is immutable.
type Signer struct {
	masters [][]byte // the first one signs; all of them verify
	now     func() time.Time
}

// NewSigner returns a signer that signs with the current master. Links signed with one of the previous masters stay
// valid. A master must have at least 32 bytes.
func NewSigner(current []byte, previous [][]byte, now func() time.Time) (*Signer, error) {
	masters := append([][]byte{current}, previous...)
	for _, master := range masters {
		if len(master) < minMaster {
			return nil, errors.New("create link signer: a master key is shorter than 32 bytes")
		}
	}
	return &Signer{masters: masters, now: now}, nil
}

// Sign returns the query of a GET link to path, and the time when the link expires.
func (s *Signer) Sign(path, filename string, life time.Duration) (string, time.Time, error) {
	if err := CheckLife(life); err != nil {
		return "", time.Time{}, err
	}
	now := s.now()
	claim := claim{
		method:  "GET",
		path:    path,
		expires: now.Add(life).Unix(),
		kid:     periodOf(now),
		name:    filename,
	}
	signature, err := claim.sign(s.masters[0])
	if err != nil {
		return "", time.Time{}, err
	}
	return claim.query(signature), time.Unix(claim.expires, 0).UTC(), nil
}

// Verify checks a request for a link and returns the signed file name. If the signature is invalid, the error is a
// Forbidden fault with the code "bad_link". If the link has expired, it is a Forbidden fault with the code
// "link_expired".
func (s *Signer) Verify(method, path, rawQuery string) (string, error) {
	claim, signature, ok := parseQuery(rawQuery)
	if !ok {
		return "", badLink()
	}
	claim.method, claim.path = method, path
	signed, err := s.signed(claim, signature)
	if err != nil {
		return "", err
	}
	now := s.now()
	switch {
	case !signed, claim.kid > periodOf(now.Add(skew)):
		return "", badLink()
	case claim.kid < periodOf(now)-1, !now.Before(time.Unix(claim.expires, 0)):
		return "", fault.New(fault.Forbidden, "link_expired", "This link has expired.").
			WithHint("Create a new link; the object itself may still exist.")
	}
	return claim.name, nil
}

// signed reports whether the signature was made with one of the masters.
func (s *Signer) signed(claim claim, signature string) (bool, error) {
	found := false
	for _, master := range s.masters {
		want, err := claim.sign(master)
		if err != nil {
			return false, err
		}
		// The encoded forms are compared, so that only one encoding of a signature is valid. All masters are tried, so
		// that timing reveals nothing.
		found = hmac.Equal([]byte(want), []byte(signature)) || found
	}
	return found, nil
}

func badLink() error {
	return fault.New(fault.Forbidden, "bad_link", "This link is not valid.").
		WithHint("Use the link exactly as it was created, with the GET method.")
}

// periodOf returns the number of the period that contains t. It is also the id of that period's key.
func periodOf(t time.Time) int64 {
	return t.Unix() / int64(period/time.Second)
}

// claim is the data that a signature covers.
type claim struct {
	method, path string
	expires      int64 // unix seconds
	kid          int64 // period number of the key
	name         string
}

// query returns the claim and its signature in normalized form, which is the only accepted form:
//
//	expires=<unix seconds>&kid=<n>&name=<escaped>&sig=<base64url, no padding>
func (c claim) query(signature string) string {
	return fmt.Sprintf("expires=%d&kid=%d&name=%s&sig=%s", c.expires, c.kid, url.QueryEscape(c.name), signature)
}

// sign returns the claim's signature with the key derived from master for the claim's period. The name comes last
// because it is the only part that may contain any character.
func (c claim) sign(master []byte) (string, error) {
	key, err := hkdf.Key(sha256.New, master, nil, "lectern blob link "+strconv.FormatInt(c.kid, 10), sha256.Size)
	if err != nil {
		return "", fmt.Errorf("derive link key: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s\n%s\n%d\n%d\n%s", c.method, c.path, c.expires, c.kid, c.name)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

// parseQuery accepts only the output of query: it rejects any other encoding of the same values, so that no byte of a
// link can be changed.
func parseQuery(rawQuery string) (claim, string, bool) {
	if strings.Count(rawQuery, "&") != 3 {
		return claim{}, "", false
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return claim{}, "", false
	}
	expires, badExpires := strconv.ParseInt(values.Get("expires"), 10, 64)
	kid, badKid := strconv.ParseInt(values.Get("kid"), 10, 64)
	if badExpires != nil || badKid != nil {
		return claim{}, "", false
	}
	c := claim{expires: expires, kid: kid, name: values.Get("name")}
	signature := values.Get("sig")
	return c, signature, c.query(signature) == rawQuery
}
