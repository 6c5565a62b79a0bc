package output

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
)

// sign returns the content of a signature file: the Ed25519 signature of the manifest's bytes as one line of base64.
func sign(manifest []byte, key ed25519.PrivateKey) []byte {
	return append(base64.StdEncoding.AppendEncode(nil, ed25519.Sign(key, manifest)), '\n')
}

// VerifySignature checks that sig, the content of a signature file, was made for manifest with the private half of key.
func VerifySignature(manifest, sig []byte, key ed25519.PublicKey) error {
	if len(key) != ed25519.PublicKeySize {
		return errors.New("verify signature: the public key has the wrong length")
	}
	line, ended := bytes.CutSuffix(sig, []byte("\n"))
	raw, err := base64.StdEncoding.Strict().DecodeString(string(line))
	if err != nil || !ended || len(raw) != ed25519.SignatureSize || bytes.ContainsAny(line, "\r\n") {
		return errors.New("verify signature: not 64 bytes in base64 on one line")
	}
	if !ed25519.Verify(key, manifest, raw) {
		return errors.New("verify signature: does not match this manifest and key")
	}
	return nil
}

// ParseSigner parses an Ed25519 private key in PEM with PKCS #8, the format that key tools write.
func ParseSigner(data []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("parse key: no PEM block")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("parse key: %w", err)
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("parse key: not an Ed25519 private key but a %T", parsed)
	}
	return key, nil
}
