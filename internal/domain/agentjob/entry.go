package agentjob

import (
	"encoding/json"
	"time"
)

// Kind says what an entry of the record is.
type Kind string

// The kinds.
const (
	Prompt  Kind = "prompt"  // what a person asked for
	Answer  Kind = "answer"  // what the model said and wants to call
	Results Kind = "results" // what its calls gave
	Note    Kind = "note"    // what the platform did or found: fetched, checked, pushed, opened, merged, failed
)

// Given is the code of a note with what others wrote that a task is about, such as readers' questions. The model gets it
// marked as untrusted, after the prompt.
const Given = "given"

// Redo is the code of a prompt that asks for everything before it again, on the newest state of the base branch. The
// branch's earlier commits are replaced then.
const Redo = "redo"

// RedoText is what such a prompt says to people and models.
const RedoText = "Redo everything that was asked for above on the newest state of the base branch. The files do not have " +
	"your earlier changes: read them again, and make all changes that are still needed."

// Entry is one line of a job's record. The record is the job's memory: the conversation is rebuilt from it after a
// crash, and doing its calls again on the round's base commit gives the same files (G9). Secrets are taken out before
// an entry is stored.
type Entry struct {
	Sequence int64 // from 1, without gaps
	Round    int
	Kind     Kind
	Code     string // of a note: a stable word, such as pull_opened; of a prompt: Redo or ""; "" otherwise
	Author   string // of a prompt: who asked
	Text     string
	Calls    []Call   // of an answer
	Results  []Result // of results, one for each call of the answer before
	Used     Use      // of an answer: what it alone used
	// of an answer: the newest entry that the model had read; what came while it thought is still to be answered. 0 =
	// all before it
	Seen int64
	At   time.Time
}

// Call is a tool call of the model.
type Call struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Result is what a call gave.
type Result struct {
	CallID string `json:"callId"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}
