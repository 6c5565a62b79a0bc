package bundlecheck

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
)

var errKey = errors.New("parse public key: not an Ed25519 key in PEM (PUBLIC KEY) or as 32 bytes in base64")

// ParsePublicKey parses the public key for signed bundles: PEM as key tools write it, or the 32 bytes in base64.
func ParsePublicKey(data []byte) (ed25519.PublicKey, error) {
	if block, _ := pem.Decode(data); block != nil {
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, errKey
		}
		if key, ok := key.(ed25519.PublicKey); ok {
			return key, nil
		}
		return nil, errKey
	}
	raw, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(data)))
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, errKey
	}
	return raw, nil
}
