package agent

import (
	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Mind is what does the thinking: a model that calls our tools, or a program that works on files by itself. Exactly one
// is set.
type Mind struct {
	Model   llm.Model
	Program llm.Program
	Price   llm.Price
}
