package access

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Handoff configures how the organization's own application authenticates readers with signed tokens.
type Handoff struct {
	LoginURL string      `json:"loginUrl"` // the address to which the sign-in page sends readers
	Issuer   string      `json:"issuer"`   // required value of iss; "" = any
	Keys     []PublicKey `json:"keys"`     // several, so that they can be rotated
}

// PublicKey verifies tokens.
type PublicKey struct {
	ID  string `json:"id"`  // kid of its tokens; "" = tokens without a kid
	PEM string `json:"pem"` // SubjectPublicKeyInfo
}

const (
	maxKeys    = 10
	maxPEM     = 4096 // bytes
	minRSABits = 2048
)

// CleanHandoff validates the settings for the mode JWT.
func CleanHandoff(h Handoff) (Handoff, error) {
	if err := cleanHTTPS(h.LoginURL, "jwt.loginUrl"); err != nil {
		return h, err
	}
	if tooOdd(h.Issuer) {
		return h, fault.New(fault.Invalid, "invalid_field", "issuer may have at most 200 printable characters.").
			WithField("jwt.issuer")
	}
	if len(h.Keys) == 0 || len(h.Keys) > maxKeys {
		return h, fault.New(fault.Invalid, "invalid_field", "The mode jwt needs 1 to 10 public keys.").
			WithField("jwt.keys")
	}
	for i, k := range h.Keys {
		h.Keys[i].PEM = strings.TrimSpace(k.PEM) + "\n"
		if _, _, err := k.Parse(); err != nil || tooOdd(k.ID) {
			return h, fault.Newf(fault.Invalid, "invalid_field", "Key %d is not a usable public key.", i+1).
				WithField("jwt.keys").WithHint("Give an Ed25519, P-256 or RSA (2048 bits or more) public key in PEM " +
				"form, which begins with BEGIN PUBLIC KEY.").WithCause(err)
		}
	}
	return h, nil
}

// Parse returns the key and the only algorithm that it verifies, as named in tokens.
func (k PublicKey) Parse() (key any, algorithm string, err error) {
	if len(k.PEM) > maxPEM {
		return nil, "", errors.New("too long")
	}
	block, rest := pem.Decode([]byte(k.PEM))
	if block == nil || block.Type != "PUBLIC KEY" || strings.TrimSpace(string(rest)) != "" {
		return nil, "", errors.New("not a single public key in PEM form")
	}
	if key, err = x509.ParsePKIXPublicKey(block.Bytes); err != nil {
		return nil, "", err
	}
	switch of := key.(type) {
	case ed25519.PublicKey:
		return of, "EdDSA", nil
	case *ecdsa.PublicKey:
		if of.Curve == elliptic.P256() {
			return of, "ES256", nil
		}
	case *rsa.PublicKey:
		if of.N.BitLen() >= minRSABits {
			return of, "RS256", nil
		}
	}
	return nil, "", errors.New("not a supported kind of key")
}
