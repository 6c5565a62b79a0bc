package client

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

// LeakedKey is a key that was found in public.
type LeakedKey struct {
	Token  string `json:"token"`
	Type   string `json:"type"`
	URL    string `json:"url"`
	Source string `json:"source"`
}

// LeakVerdict says whether a reported token is, or was, a key of the server.
type LeakVerdict struct {
	TokenHash string `json:"token_hash"` // SHA-256 in hex
	TokenType string `json:"token_type"`
	Label     string `json:"label"` // true_positive or false_positive
}

// ReportLeakedKeys reports keys as a secret scanner does, signed with the scanner's key on P-256, whose public part the server's operator
// configured under the identifier. The client's own key is not sent.
func (c *Client) ReportLeakedKeys(ctx context.Context, identifier string, by *ecdsa.PrivateKey, found []LeakedKey) ([]LeakVerdict, error) {
	body, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	sum := sha256.Sum256(body)
	signature, err := by.Sign(nil, sum[:], crypto.SHA256) // without randomness: RFC 6979
	if err != nil {
		return nil, fmt.Errorf("sign report: %w", err)
	}
	header := http.Header{}
	header.Set("Github-Public-Key-Identifier", identifier)
	header.Set("Github-Public-Key-Signature", base64.StdEncoding.EncodeToString(signature))
	keyless := *c
	keyless.key = ""
	var out []LeakVerdict
	// A json.RawMessage is sent as it stands, so the bytes are those that were signed.
	err = keyless.do(ctx, call{method: http.MethodPost, path: []string{"v1", "leaked-keys"}, body: json.RawMessage(body), header: header}, &out)
	return out, err
}
