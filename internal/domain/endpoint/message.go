package endpoint

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Message is the body of a delivery. It only identifies objects, by id and address. Their content is available through
// the API.
type Message struct {
	Type      string      `json:"type"`
	Timestamp time.Time   `json:"timestamp"` // time of the event
	Data      MessageData `json:"data"`
}

// MessageData describes the event. Deliveries may arrive in any order; Sequence is the order of the events.
type MessageData struct {
	EventID        string            `json:"eventId"`
	Sequence       int64             `json:"sequence"`
	OrganizationID string            `json:"organizationId"`
	ProjectID      string            `json:"projectId,omitempty"`
	Actor          string            `json:"actor"`
	Target         string            `json:"target"`
	URL            string            `json:"url,omitempty"` // a page of the dashboard
	Details        map[string]string `json:"details"`
}

// Details are truncated so that a message stays below 20 kB even if names are long (W3).
const (
	maxDetails = 12
	maxDetail  = 200 // characters, up to 6 bytes each in JSON
	maxName    = 30
)

// NewMessage returns the message for an event. publicURL is the server's address; "" = unknown.
func NewMessage(v event.Event, publicURL string) Message {
	details := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(v.Data)) {
		if len(details) < maxDetails {
			details[clip.Runes(name, maxName)] = clip.Runes(v.Data[name], maxDetail)
		}
	}
	return Message{Type: v.Action, Timestamp: v.At.UTC(), Data: MessageData{EventID: v.ID, Sequence: v.Sequence,
		OrganizationID: v.OrganizationID, ProjectID: v.Project(), Actor: v.Actor, Target: clip.Runes(v.Target, maxDetail),
		URL: page(v, publicURL), Details: details}}
}

// Encode returns the message as it is signed and sent: always the same bytes for the same event.
func (m Message) Encode() []byte {
	return encode(m)
}

func encode(m any) []byte {
	raw, err := json.Marshal(m)
	if err != nil {
		panic("endpoint: strings failed to encode: " + err.Error())
	}
	return raw
}

// page returns the address of the dashboard page about an event; "" if there is none.
func page(v event.Event, publicURL string) string {
	if path := v.Page(); path != "" && publicURL != "" {
		return publicURL + path
	}
	return ""
}
