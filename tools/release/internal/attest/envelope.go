package attest

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

const payloadType = "application/vnd.in-toto+json"

// envelope is a DSSE envelope, version 1.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"`
}

// encoded returns the bytes to sign: the type and the payload, each preceded by its length, so that they cannot be
// confused.
func encoded(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

// Seal signs a statement.
func Seal(key ed25519.PrivateKey, statement []byte) ([]byte, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("seal provenance: the key has no public key")
	}
	sig := ed25519.Sign(key, encoded(payloadType, statement))
	b, err := json.Marshal(envelope{PayloadType: payloadType, Payload: base64.StdEncoding.EncodeToString(statement),
		Signatures: []signature{{KeyID: KeyID(public), Sig: base64.StdEncoding.EncodeToString(sig)}}})
	if err != nil {
		return nil, fmt.Errorf("seal provenance: %w", err)
	}
	return append(b, '\n'), nil
}

// Open returns the statement in an envelope after verifying its signature.
func Open(key ed25519.PublicKey, sealed []byte) ([]byte, error) {
	var e envelope
	if err := json.Unmarshal(sealed, &e); err != nil {
		return nil, fmt.Errorf("open provenance: %w", err)
	}
	payload, err := base64.StdEncoding.DecodeString(e.Payload)
	if err != nil || e.PayloadType != payloadType || len(e.Signatures) != 1 {
		return nil, errors.New("open provenance: not an envelope with a statement and one signature")
	}
	sig, err := base64.StdEncoding.DecodeString(e.Signatures[0].Sig)
	if err != nil || !ed25519.Verify(key, encoded(e.PayloadType, payload), sig) {
		return nil, errors.New("open provenance: the signature does not match the key")
	}
	return payload, nil
}
