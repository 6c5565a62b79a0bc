package agent

import (
	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Engine produces the agent's work: a model that calls our tools, or a program that edits files directly. Exactly one is
// set.
type Engine struct {
	Model   llm.Model
	Program llm.Program
	Price   llm.Price
}
