package agentjob

import (
	"encoding/json"
	"time"
)

// Kind is the kind of a record entry.
type Kind string

// The kinds.
const (
	Prompt  Kind = "prompt"  // a person's request
	Answer  Kind = "answer"  // the model's text and tool calls
	Results Kind = "results" // results of these calls
	Note    Kind = "note"    // an action or observation of the platform: fetched, checked, pushed, opened, merged, failed
)

// Given is the code of a note that contains text by others to which a task refers, such as readers' questions. The
// model receives it after the prompt, marked as untrusted.
const Given = "given"

// Codes of the two notes at the end of a dry run that would have changed something.
const (
	DryRun = "dry_run" // what would have been proposed, with the findings
	Patch  = "patch"   // the changes as a unified diff, and nothing else
)

// Redo is the code of a prompt to repeat everything on the newest state of the base branch. The result replaces the
// branch's earlier commits.
const Redo = "redo"

// RedoText is the text of a prompt with the code Redo, for people and models.
const RedoText = "Redo everything that was asked for above on the newest state of the base branch. The files do not have " +
	"your earlier changes: read them again, and make all changes that are still needed."

// Entry is an entry of a job's record. After a crash, the conversation is rebuilt from the record. Repeating the calls
// in it on the round's base commit gives the same files (G9). Secrets are removed before an entry is stored.
type Entry struct {
	Sequence int64 // starts at 1, without gaps
	Round    int
	Kind     Kind
	Code     string // of a note: a stable identifier, such as pull_opened; of a prompt: Redo or ""; otherwise ""
	Author   string // of a prompt: who sent it
	Text     string
	Calls    []Call   // of an answer
	Results  []Result // of results, one for each call of the preceding answer
	Used     Use      // of an answer: resources used for it
	// of an answer: sequence number of the newest entry that the model had read. Later entries are still unanswered. 0
	// = it had read all previous entries
	Seen int64
	At   time.Time
}

// Call is a tool call of the model.
type Call struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Result is the result of a call.
type Result struct {
	CallID string `json:"callId"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}
