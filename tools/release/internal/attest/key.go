package attest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"strings"
)

// ParsePrivate parses an Ed25519 key in the format of openssl genpkey (PKCS#8 in PEM).
func ParsePrivate(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("read private key: it is not in PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if private, ok := key.(ed25519.PrivateKey); err == nil && ok {
		return private, nil
	}
	return nil, errors.New("read private key: not an Ed25519 key in PKCS#8") // the cause could quote the key
}

// ParsePublic parses an Ed25519 key in the format of openssl pkey -pubout.
func ParsePublic(text []byte) (ed25519.PublicKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("read public key: it is not in PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if public, ok := key.(ed25519.PublicKey); err == nil && ok {
		return public, nil
	}
	return nil, errors.New("read public key: not an Ed25519 key")
}

// KeyID returns the id of a public key: the start of its SHA-256.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// Sign signs bytes and returns the signature as a line of base64.
func Sign(key ed25519.PrivateKey, body []byte) []byte {
	return []byte(base64.StdEncoding.EncodeToString(ed25519.Sign(key, body)) + "\n")
}

// Verify checks a signature from Sign.
func Verify(key ed25519.PublicKey, body, signature []byte) error {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(signature)))
	if err != nil || !ed25519.Verify(key, body, raw) {
		return errors.New("the signature does not match the key and content")
	}
	return nil
}
