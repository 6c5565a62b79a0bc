package adminapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/lectern-docs/lectern/internal/store"
)

// doOnce runs work in a transaction and returns its result. If a request with the same Idempotency-Key has already been
// processed, doOnce returns the response to that request instead and sets replayed. The key is claimed in the same
// transaction as the work, so that neither is stored without the other (A4); if the work fails, the key stays unused.
func doOnce[T any](a *api, c *call, status int, work func(*store.Tx) (T, error)) (made T, replayed bool, err error) {
	attempt := store.Attempt{OrganizationID: c.org(), Route: attemptRoute(c.route.OperationID), Key: c.repeat,
		BodyHash: c.bodyHash()}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		replayed = false
		if c.repeat == "" {
			made, err = work(tx)
			return err
		}
		first, err := tx.Reserve(c.ctx(), attempt)
		if err != nil {
			return err
		}
		if first != nil {
			replayed = true
			made = *new(T)
			return decodeFirst(first.Body, &made)
		}
		if made, err = work(tx); err != nil {
			return err
		}
		raw, err := encode(made)
		if err != nil {
			return err
		}
		return tx.Remember(c.ctx(), attempt, store.StoredResponse{Status: status, Body: string(raw)})
	})
	return made, replayed, err
}

// attemptRoute returns the name under which an operation's attempts are stored. The export operation keeps its
// original name, so that a request repeated after a server upgrade finds its first response.
func attemptRoute(operation string) string {
	if operation == "startStaticExportJob" {
		return "startExport"
	}
	return operation
}

func decodeFirst(body string, into any) error {
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return fmt.Errorf("decode stored response: %w", err)
	}
	return nil
}

// bodyHash tells apart requests that must not share an Idempotency-Key: it covers the path, and the body without
// insignificant whitespace.
func (c *call) bodyHash() string {
	var b bytes.Buffer
	b.WriteString(c.r.URL.EscapedPath())
	b.WriteByte('\n')
	head := b.Len()
	if err := json.Compact(&b, c.body); err != nil {
		b.Truncate(head) // no body
	}
	if b.Len() == head {
		b.WriteString("{}") // no body is equivalent to an empty object
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}
