package endpoint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

const (
	secretPrefix  = "whsec_"
	secretBytes   = 32
	sealedPurpose = "lectern webhook endpoint"
	// SecretOverlap is how long the previous secret is still used for signing after a rotation.
	SecretOverlap = 24 * time.Hour
)

// NewSecret returns a new signing secret in the form of Standard Webhooks.
func NewSecret(rand io.Reader) string {
	raw := make([]byte, secretBytes)
	if _, err := io.ReadFull(rand, raw); err != nil {
		panic(fmt.Sprintf("endpoint: read randomness: %v", err))
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(raw)
}

// SealSecret encrypts a secret for the endpoint with the given id.
func SealSecret(master []byte, rand io.Reader, endpointID, secret string) string {
	return sealbox.Seal(master, rand, sealedPurpose, endpointID, secret)
}

// OpenSecret decrypts a secret. stale reports whether an earlier master key was needed.
func OpenSecret(masters [][]byte, endpointID, sealed string) (secret string, stale bool, err error) {
	stale, ok := sealbox.Open(masters, sealedPurpose, endpointID, sealed, &secret)
	if !ok {
		return "", false, fault.New(fault.Conflict, "unknown_secret_key",
			"The endpoint's secret was encrypted with a different server secret key and cannot be read.").
			WithHint("Rotate the secret.")
	}
	return secret, stale, nil
}

// Secrets returns the secrets that are currently used for signing, newest first.
func (e Endpoint) Secrets(masters [][]byte, now time.Time) ([]string, error) {
	newest, _, err := OpenSecret(masters, e.ID, e.Sealed)
	if err != nil {
		return nil, err
	}
	out := []string{newest}
	if e.BeforeUntil != nil && now.Before(*e.BeforeUntil) {
		before, _, err := OpenSecret(masters, e.ID, e.SealedBefore)
		if err != nil {
			return nil, err
		}
		out = append(out, before)
	}
	return out, nil
}

// Sign sets the headers of a message: its id, the time of this attempt, and a signature for each secret (W1).
func Sign(h http.Header, messageID string, at time.Time, body []byte, secrets []string) error {
	stamp := strconv.FormatInt(at.Unix(), 10)
	var signatures []string
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil {
			return fmt.Errorf("decode signing secret: %w", err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(messageID + "." + stamp + "."))
		mac.Write(body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	h.Set("webhook-id", messageID)
	h.Set("webhook-timestamp", stamp)
	h.Set("webhook-signature", strings.Join(signatures, " "))
	return nil
}
