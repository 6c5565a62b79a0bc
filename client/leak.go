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

// ReportLeakedKeys reports keys like a secret scanner. It signs the report with by, the scanner's P-256 key, whose
// public part is configured on the server under identifier. It does not send the client's own key.
func (c *Client) ReportLeakedKeys(ctx context.Context, identifier string, by *ecdsa.PrivateKey,
	found []LeakedKey) ([]LeakVerdict, error) {
	body, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	sum := sha256.Sum256(body)
	signature, err := by.Sign(nil, sum[:], crypto.SHA256) // deterministic signature, RFC 6979
	if err != nil {
		return nil, fmt.Errorf("sign report: %w", err)
	}
	in := reportLeakedKeysCall(found)
	in.body = json.RawMessage(body) // sent unchanged, so these are exactly the signed bytes
	in.header = http.Header{}
	in.header.Set("Github-Public-Key-Identifier", identifier)
	in.header.Set("Github-Public-Key-Signature", base64.StdEncoding.EncodeToString(signature))
	return askValue[[]LeakVerdict](ctx, c, in, nil)
}
