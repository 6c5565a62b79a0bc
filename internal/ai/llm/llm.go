package llm

import (
	"context"
	"encoding/json"
)

// Model answers conversations. It is safe for concurrent use.
//
// Errors that a caller can act on are faults: model_key_refused and model_account_refused (Forbidden), model_unknown
// (NotFound), model_input_too_long (TooLarge), model_request_refused (Invalid), model_busy (Unavailable: the driver has
// waited and tried again as often as it may), model_answer_invalid and model_request_invalid (Internal). When ctx ends,
// the error is its cause. No error shows the key.
type Model interface {
	// Answer continues a conversation. heard, which may be nil, gets the text in pieces as it is made; after a retry
	// the pieces begin again, so they are for display only: the returned answer has the whole text.
	Answer(ctx context.Context, ask Ask, heard func(piece string)) (Completion, error)
}

// Ask is a request to a model.
type Ask struct {
	Instructions string // the system prompt; written by the caller, never untrusted text
	Turns        []Turn // the first is the user's; turns alternate
	Tools        []Tool
	MaxTokens    int // of the answer; 0 = the driver's default
}

// Speaker says whose turn it was.
type Speaker string

// The speakers.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
)

// Turn is what one side said. Only the assistant calls; only the user brings results, one for each call of the turn
// before.
type Turn struct {
	From Speaker
	Text string
	// those parts of Text that are prompts, for drivers that obey nothing else; nil = the caller does not distinguish
	// them
	Asked   []string
	Calls   []Call
	Results []Result
}

// Tool is something the model may call.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage // JSON schema of an object
}

// Call is a model's tool call. Input is what the model wrote and need not be valid: the tool validates it.
type Call struct {
	ID    string
	Name  string
	Input json.RawMessage
}

// Result is what a call gave.
type Result struct {
	CallID string
	Text   string
	Failed bool
}

// Stop is why an answer ended.
type Stop string

// The reasons.
const (
	Done    Stop = "done"    // it has said what it wanted
	Calling Stop = "calling" // it waits for the results of its calls
	CutOff  Stop = "cut_off" // the answer reached its maximum length
	Refused Stop = "refused" // it will not do this
)

// Completion is what a model wrote in response to a request.
type Completion struct {
	Text  string
	Calls []Call
	Stop  Stop
	Usage Usage
	Model string // which model answered, as the server named it
}

// Usage counts tokens.
type Usage struct {
	Input  int64 `json:"input"`  // all that were read, the cached too
	Cached int64 `json:"cached"` // of these, read from the server's cache
	Output int64 `json:"output"`
}

// Add sums two counts.
func (u Usage) Add(v Usage) Usage {
	return Usage{Input: u.Input + v.Input, Cached: u.Cached + v.Cached, Output: u.Output + v.Output}
}
