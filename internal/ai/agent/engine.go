package agent

import (
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Engine produces the agent's work: a model that calls our tools, or a program that edits files directly. Exactly one
// is set, except for submitted edits, which have neither.
type Engine struct {
	Model   llm.Model
	Program llm.Program
	Price   llm.Price
	// Submitted means that another program made the changes and they are already in the record: no engine is called
	Submitted bool
}

// final reports whether the engine's changes can only be accepted or refused, because the engine gets no feedback on
// individual calls.
func (e Engine) final() bool { return e.Program != nil || e.Submitted }

// errNoEngine ends a round of a submitted edit that contains a prompt for an agent.
var errNoEngine = fault.New(fault.Invalid, "no_engine", "The job's edits were submitted by a program; no agent works on it.").
	WithHint("Submit another edit, or start an agent job.")
