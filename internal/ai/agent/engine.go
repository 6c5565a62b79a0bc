package agent

import (
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Engine produces the agent's work: a model that calls our tools, or a program that edits files directly. Exactly one is
// set, except for edits that are submitted.
type Engine struct {
	Model   llm.Model
	Program llm.Program
	Price   llm.Price
	// Submitted says that a program elsewhere made the work, and the record has it: nobody is asked for more
	Submitted bool
}

// final reports whether what the engine did can be refused only: it gets no feedback on single calls.
func (e Engine) final() bool { return e.Program != nil || e.Submitted }

// errNoEngine ends a round of a submitted edit in which something else than an edit is asked for.
var errNoEngine = fault.New(fault.Invalid, "no_engine", "The job has an edit that a program submitted; no agent works on it.").
	WithHint("Submit another edit, or start an agent job.")
