package llm

import (
	"encoding/json"
	"fmt"
)

// Normalized makes an answer consistent: it removes an incomplete call at the end of an answer that was cut off,
// and makes Stop Calling if and only if a complete answer contains calls.
func (a Completion) Normalized() Completion {
	if n := len(a.Calls); a.Stop == CutOff && n > 0 && !json.Valid(a.Calls[n-1].Input) {
		a.Calls = a.Calls[:n-1]
	}
	switch {
	case a.Stop == Done && len(a.Calls) > 0:
		a.Stop = Calling
	case a.Stop == Calling && len(a.Calls) == 0:
		a.Stop = Done
	case a.Stop == Refused:
		a.Calls = nil
	}
	return a
}

// Named gives a call that has no id, or one that was used before, an id that is unique in the conversation and derived
// from the call's position. Some servers leave ids out, and some restart them in every answer.
func (a Ask) Named(calls []Call) []Call {
	seen := map[string]bool{"": true}
	for _, t := range a.Turns {
		for _, c := range t.Calls {
			seen[c.ID] = true
		}
	}
	for i := range calls {
		for n := 0; seen[calls[i].ID]; n++ {
			calls[i].ID = fmt.Sprintf("call_%d_%d", len(a.Turns)+n, i)
		}
		seen[calls[i].ID] = true
	}
	return calls
}
