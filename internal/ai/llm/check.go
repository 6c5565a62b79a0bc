package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxName is the maximum length of a tool's name, in bytes, in both APIs.
const maxName = 64

// Check returns an error unless every model server accepts the request: turns alternate and begin with the user's,
// every call has a result in the next turn, every result has a call, and tools have valid names and descriptions.
// Without the check, each server would return a different error.
func (a Ask) Check() error {
	if len(a.Turns) == 0 || a.Turns[len(a.Turns)-1].From != User {
		return invalid("the last turn is not the user's")
	}
	names := map[string]bool{}
	for _, t := range a.Tools {
		if err := t.check(); err != nil {
			return err
		}
		if names[t.Name] {
			return invalid("tool %s is defined twice", t.Name)
		}
		names[t.Name] = true
	}
	seen := map[string]bool{}
	var open []Call
	for i, t := range a.Turns {
		if want := []Speaker{User, Assistant}[i%2]; t.From != want {
			return invalid("turn %d is not the %s's", i+1, want)
		}
		if err := t.check(open, seen); err != nil {
			return fmt.Errorf("check turn %d: %w", i+1, err)
		}
		open = t.Calls
	}
	return nil
}

func (t Turn) check(open []Call, seen map[string]bool) error {
	if t.From == User && len(t.Calls) > 0 || t.From == Assistant && len(t.Results) > 0 {
		return invalid("only the assistant may call tools, and only the user may return results")
	}
	for _, c := range t.Calls {
		if c.ID == "" || c.Name == "" || seen[c.ID] {
			return invalid("a call has no name or no unique id")
		}
		seen[c.ID] = true
	}
	if t.From == Assistant {
		return nil
	}
	if len(t.Results) != len(open) {
		return invalid("%d calls have %d results", len(open), len(t.Results))
	}
	waiting := map[string]bool{}
	for _, c := range open {
		waiting[c.ID] = true
	}
	for i, r := range t.Results {
		if !waiting[r.CallID] {
			return invalid("result %d does not belong to a call", i+1)
		}
		delete(waiting, r.CallID)
	}
	if len(t.Results) == 0 && strings.TrimSpace(t.Text) == "" {
		return invalid("the user's turn is empty")
	}
	return nil
}

func (t Tool) check() error {
	ok := t.Name != "" && len(t.Name) <= maxName && strings.Trim(t.Name, NameBytes) == ""
	var schema struct {
		Type string `json:"type"`
	}
	if !ok || json.Unmarshal(t.Input, &schema) != nil || schema.Type != "object" {
		return invalid("tool %q has a name or an input that models do not accept", t.Name)
	}
	return nil
}

// NameBytes are the bytes permitted in tool names and call ids.
const NameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// Object returns a call's input as JSON that every server accepts: an object. Input that is not an object becomes
// its field "invalid".
func (c Call) Object() json.RawMessage {
	raw := bytes.TrimSpace(c.Input)
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if raw[0] == '{' && json.Valid(raw) {
		return raw
	}
	wrapped, err := json.Marshal(map[string]string{"invalid": string(raw)})
	if err != nil { // cannot happen: a string can always be encoded
		return json.RawMessage("{}")
	}
	return wrapped
}

func invalid(format string, args ...any) error {
	return fault.Newf(fault.Internal, "model_request_invalid",
		"The conversation cannot be sent to a model: "+format+".", args...)
}
