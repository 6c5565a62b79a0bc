// Package event defines the audit log: one append-only record per change, chained by hash so that a missing or altered
// record is detected.
//
// Inputs: who did what to which resource, in which request.
// Outputs: records whose hash covers their content and the previous hash, one chain per organization.
// A record never contains a secret; it identifies keys by id, never by value.
package event

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Event is one record.
type Event struct {
	ID             string
	OrganizationID string
	Sequence       int64  // 1, 2, 3 … within the organization
	Actor          string // key id, member id, or "operator", "system", "webhook", "oidc", "saml", "visitor", "secret-scanning"
	Action         string // noun.verb, e.g. key.create
	Target         string // id of the changed object
	RequestID      string // "" if the change was not caused by a request
	Data           map[string]string
	At             time.Time
	PrevHash       string // "" for the first
	Hash           string
}

// New returns a record that is not yet part of its chain.
func New(organizationID, actor, action, target, requestID string, at time.Time, data map[string]string) Event {
	return Event{OrganizationID: organizationID, Actor: actor, Action: action, Target: target, RequestID: requestID,
		At: at, Data: data}
}

// Chain returns the record as a link of its chain, with sequence number, previous hash and hash set (D8).
func (e Event) Chain(sequence int64, prevHash string) Event {
	e.Sequence, e.PrevHash = sequence, prevHash
	e.Hash = e.sum()
	return e
}

// Verify reports whether the record is unchanged since it was written.
func (e Event) Verify() bool { return e.Hash == e.sum() }

func (e Event) sum() string {
	// A list encoded as JSON is unambiguous, and the encoder sorts map keys.
	raw, err := json.Marshal([]any{e.ID, e.OrganizationID, e.Sequence, e.Actor, e.Action, e.Target, e.RequestID, e.Data,
		e.At.UnixMicro(), e.PrevHash})
	if err != nil {
		panic("event: strings failed to encode: " + err.Error())
	}
	h := sha256.Sum256(raw)
	return hex.EncodeToString(h[:])
}
