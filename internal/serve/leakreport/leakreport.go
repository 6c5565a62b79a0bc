// Package leakreport parses reports of leaked API keys in the format of GitHub's secret scanning partner program: a
// JSON array signed with ECDSA (P-256, SHA-256).
//
// Inputs: the public keys configured by the operator, a request's body and signature. Outputs: the reported tokens. It
// never fetches anything, and never puts a token into an error.
package leakreport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Headers of a report.
const (
	KeyHeader       = "Github-Public-Key-Identifier"
	SignatureHeader = "Github-Public-Key-Signature"
)

const (
	maxReports = 1000 // tokens per request
	maxURL     = 500  // bytes of a stored URL
)

// Keys are the public keys of trusted reporters, by identifier.
type Keys map[string]*ecdsa.PublicKey

// ParseKeys parses public keys in the format in which GitHub publishes them at /meta/public_keys/secret_scanning.
func ParseKeys(raw []byte) (Keys, error) {
	var file struct {
		PublicKeys []struct {
			Identifier string `json:"key_identifier"`
			Key        string `json:"key"`
		} `json:"public_keys"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("parse public keys: %w", err)
	}
	keys := Keys{}
	for _, one := range file.PublicKeys {
		key, err := parseKey(one.Key)
		if err != nil || one.Identifier == "" {
			return nil, fmt.Errorf("parse public key %q: %w", one.Identifier,
				errors.Join(err, emptyName(one.Identifier)))
		}
		keys[one.Identifier] = key
	}
	if len(keys) == 0 {
		return nil, errors.New("parse public keys: public_keys is missing or empty")
	}
	return keys, nil
}

func emptyName(name string) error {
	if name == "" {
		return errors.New("key_identifier is empty")
	}
	return nil
}

func parseKey(text string) (*ecdsa.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("it is not PEM")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errors.New("it is not a P-256 ECDSA key")
	}
	return key, nil
}

// Verify checks that the body was signed with one of the keys.
func (k Keys) Verify(identifier, signature string, body []byte) error {
	key := k[identifier]
	raw, err := base64.StdEncoding.DecodeString(signature)
	if key != nil && err == nil {
		sum := sha256.Sum256(body)
		if ecdsa.VerifyASN1(key, sum[:], raw) {
			return nil
		}
	}
	return fault.New(fault.Unauthenticated, "bad_signature",
		"The report is not signed with a key that this server knows.").
		WithHint("The operator can set the public keys with leaked-keys.public-keys-file.")
}

// Report is one token that was found in a public place.
type Report struct {
	Token  string
	Type   string
	Source string // kind of location where it was found, such as content or commit; "" = unknown
	URL    string // where it was found, without parameters; "" = unknown, or the URL contains a token
}

// Parse parses the body of a report.
func Parse(body []byte) ([]Report, error) {
	var list []struct {
		Token, Type, URL, Source string
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fault.New(fault.Invalid, "invalid_json",
			"The body is not an array of reports with token, type, url and source.")
	}
	if len(list) > maxReports {
		return nil, fault.Newf(fault.Invalid, "too_many_reports", "A request may report at most %d tokens.", maxReports)
	}
	out := make([]Report, len(list))
	for i, one := range list {
		out[i] = Report{Token: one.Token, Type: one.Type, Source: cleanSource(one.Source), URL: cleanURL(one.URL)}
	}
	for i := range out {
		for _, other := range list {
			if other.Token != "" && (strings.Contains(out[i].URL, other.Token) ||
				strings.Contains(out[i].Source, other.Token)) {
				out[i].URL, out[i].Source = "", ""
			}
		}
	}
	return out, nil
}

// cleanSource returns s if it is a short word, otherwise "".
func cleanSource(s string) string {
	if len(s) > 50 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
		return ""
	}
	return s
}

// cleanURL removes user, parameters and fragment from a URL, since they could contain tokens.
func cleanURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	clean := u.Scheme + "://" + u.Host + u.Path // decoded, so that a token in it is detected
	if len(clean) > maxURL || strings.ContainsFunc(clean, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return ""
	}
	return clean
}

// Labels in a response.
const (
	Real   = "true_positive"  // the token is or was a key of this server
	Unreal = "false_positive" // the token was never a key of this server
)

// Verdict is the response for one reported token. It does not repeat the token.
type Verdict struct {
	TokenHash string `json:"token_hash"` // SHA-256 of the token, in hex
	TokenType string `json:"token_type"`
	Label     string `json:"label"`
}

// Judge returns the verdict for a report.
func (r Report) Judge(known bool) Verdict {
	sum := sha256.Sum256([]byte(r.Token))
	v := Verdict{TokenHash: hex.EncodeToString(sum[:]), TokenType: r.Type, Label: Unreal}
	if known {
		v.Label = Real
	}
	return v
}
