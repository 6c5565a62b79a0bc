package llm

import (
	"encoding/json"
	"fmt"
)

// Normalized makes an answer consistent: an answer that was cut off has no half-written call at its end, one that is
// complete and calls is Calling, and one that calls nothing is not.
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

// Named gives each call of an answer to this ask an id that no other call of the conversation has, from its place in
// it, where the server gave none: some leave ids out, some count from the beginning in every answer.
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
