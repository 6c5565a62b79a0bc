package openapi

import (
	"encoding/json"
	"testing"
)

func TestChannelExcerptHasItsOperationsAndReferences(t *testing.T) {
	s,
		found := load(t,
		`{"asyncapi": "3.0.0", "info": {"title": "Events"}, "servers": {"main": {"host": "h.example", "protocol": "wss"}},
		"channels": {"orders": {"address": "/orders", "messages": {"new": {"$ref": "#/components/messages/New"}}}, "other": {"address": "/other"}},
		"operations": {"tell": {"action": "send", "channel": {"$ref": "#/channels/orders"}},
			"else": {"action": "send", "channel": {"$ref": "#/channels/other"}}},
		"components": {"messages": {"New": {"payload": {"$ref": "#/components/schemas/Order"}}, "Unused": {"name": "u"}},
			"schemas": {"Order": {"type": "object"}}}}`)
	if len(found) > 0 || len(s.Channels) != 2 {
		t.Fatal(found, s.Channels)
	}
	var got struct {
		AsyncAPI   string                               `json:"asyncapi"`
		Channels   map[string]json.RawMessage           `json:"channels"`
		Operations map[string]json.RawMessage           `json:"operations"`
		Components map[string]map[string]map[string]any `json:"components"`
	}
	if err := json.Unmarshal([]byte(s.Channels[0].Excerpt()), &got); err != nil {
		t.Fatal(err)
	}
	c := got.Components
	if got.AsyncAPI != "3.0.0" || len(got.Channels) != 1 || got.Channels["orders"] == nil || len(got.Operations) != 1 ||
		got.Operations["tell"] == nil {
		t.Errorf("%+v", got)
	}
	if len(c["messages"]) != 1 || c["messages"]["New"] == nil || c["schemas"]["Order"] == nil {
		t.Errorf("components %+v", c)
	}
}
