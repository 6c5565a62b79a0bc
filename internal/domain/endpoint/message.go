package endpoint

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Message is the body of a delivery. It names things by id and address; what they contain is for the API to say.
type Message struct {
	Type      string      `json:"type"`
	Timestamp time.Time   `json:"timestamp"` // of the event
	Data      MessageData `json:"data"`
}

// MessageData is what happened. Deliveries may arrive in any order; Sequence has the order of the events.
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

// Details are cut so that a message stays below 20 kB (W3): names may be as long as their owners like.
const (
	maxDetails = 12
	maxDetail  = 200 // characters, up to 6 bytes each as JSON
	maxName    = 30
)

// NewMessage returns what an endpoint gets about an event. publicURL is the server's address; "" = not known.
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

// Encode returns the message as it is signed and sent: the same bytes for the same event each time.
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

// page returns the address of the dashboard's page about an event; "" where there is none.
func page(v event.Event, publicURL string) string {
	if path := v.Page(); path != "" && publicURL != "" {
		return publicURL + path
	}
	return ""
}
