package llm

import (
	"context"
	"encoding/json"
)

// Model answers conversations. It is safe for concurrent use.
//
// Errors that a caller can act on are faults: model_key_refused and model_account_refused (Forbidden),
// model_unknown (NotFound), model_input_too_long (TooLarge), model_request_refused (Invalid), model_busy
// (Unavailable: the driver has used up its retries), model_answer_invalid and model_request_invalid (Internal).
// When ctx ends, the error is its cause. No error contains the key.
type Model interface {
	// Answer continues a conversation. heard, which may be nil, receives the text in pieces as it arrives; after a
	// retry the pieces start again, so they are for display only. The returned answer contains the whole text.
	Answer(ctx context.Context, ask Ask, heard func(piece string)) (Completion, error)
}

// Ask is a request to a model.
type Ask struct {
	Instructions string // the system prompt; written by the caller, never untrusted text
	Turns        []Turn // the first is the user's; turns alternate
	Tools        []Tool
	MaxTokens    int // of the answer; 0 = the driver's default
}

// Speaker is the author of a turn.
type Speaker string

// The speakers.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
)

// Turn is one side's message. Only the assistant makes calls; only the user returns results, one for each call of
// the preceding turn.
type Turn struct {
	From Speaker
	Text string
	// the parts of Text that are prompts, for drivers that obey nothing else; nil = the caller does not distinguish
	// them
	Asked   []string
	Calls   []Call
	Results []Result
}

// Tool describes a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage // JSON schema of an object
}

// Call is a model's tool call. Input is the model's text and may be invalid: the tool validates it.
type Call struct {
	ID    string
	Name  string
	Input json.RawMessage
}

// Result is the result of a call.
type Result struct {
	CallID string
	Text   string
	Failed bool
}

// Stop is why an answer ended.
type Stop string

// The reasons.
const (
	Done    Stop = "done"    // the answer is complete
	Calling Stop = "calling" // waiting for the results of its calls
	CutOff  Stop = "cut_off" // the answer reached its maximum length
	Refused Stop = "refused" // the model refuses
)

// Completion is what a model wrote in response to a request.
type Completion struct {
	Text  string
	Calls []Call
	Stop  Stop
	Usage Usage
	Model string // the model that answered, as named by the server
}

// Usage counts tokens.
type Usage struct {
	Input  int64 `json:"input"`  // all input tokens, including cached ones
	Cached int64 `json:"cached"` // input tokens read from the server's cache
	Output int64 `json:"output"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{Input: u.Input + v.Input, Cached: u.Cached + v.Cached, Output: u.Output + v.Output}
}
