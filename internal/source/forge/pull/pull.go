package pull

import (
	"context"
	"time"
)

// Host is one repository on a code host, opened with a credential for it. It is safe for concurrent use.
//
// Errors that a caller can act on are faults: forge_key_refused (Forbidden), forge_not_found (NotFound: no such
// repository, or the credential may not see it), forge_busy (Unavailable), forge_bad_answer (Unavailable: not what an
// API says), forge_refused (Invalid, with the host's sentence, no secret). Find and Get answer a missing pull request
// with NotFound and code unknown_pull.
type Host interface {
	// Find returns the newest pull request from branch head, an open one first.
	Find(ctx context.Context, head string) (Pull, error)
	// Get returns a pull request by its number.
	Get(ctx context.Context, number int64) (Pull, error)
	// Open makes a pull request. When the host says that one from this branch is open already, that one is returned.
	Open(ctx context.Context, r Request) (Pull, error)
	// Update changes a pull request's title and text; labels and reviewers are added, never removed. A draft becomes
	// ready when the request is not a draft; nothing becomes a draft again: a person may have marked it ready.
	Update(ctx context.Context, number int64, r Request) (Pull, error)
	// Comments lists what people wrote below a pull request, oldest first, at most 200. It is untrusted text.
	Comments(ctx context.Context, number int64) ([]Comment, error)
}

// State of a pull request.
type State string

// The states.
const (
	Open   State = "open"
	Merged State = "merged"
	Closed State = "closed"
)

// Request is the content of a pull request.
type Request struct {
	Title     string
	Body      string // Markdown
	Head      string // branch with the changes
	Base      string // branch they are for
	Draft     bool
	Labels    []string // made if the host needs that; a label that cannot be set is no error
	Reviewers []string // user names; one that cannot be asked is no error
}

// Pull is a pull request as the host has it.
type Pull struct {
	Number int64
	URL    string // for people
	State  State
	Draft  bool
	Title  string
	Head   string
	Base   string
	Commit string // head commit; "" if the host did not say
	Fork   bool   // the changes are in another repository, which may belong to anybody
}

// Comment is a person's comment.
type Comment struct {
	ID     string
	Author string
	Body   string
	File   string // path of the file it is about; "" = the whole
	Line   int    // 0 = the whole
	At     time.Time
}

// Event is a code host's report that a pull request changed.
type Event struct {
	Delivery   string // as in push.Push
	Repository string // full name on the host: owner/name
	Number     int64
	URL        string
	Head       string // branch with the changes
	Base       string // branch they are for
	Ref        string // by which git fetches the changes from the repository itself; "" = it cannot
	Fork       bool   // the changes are in another repository, which may belong to anybody
	HeadCommit string // "" if the host did not say all of it
	Change     Change
	State      State
	Commit     string // of the merge, if merged and known
}

// Change is what happened to a pull request.
type Change string

// The changes.
const (
	Opened   Change = "opened"
	Pushed   Change = "pushed" // it has other commits than before
	Reopened Change = "reopened"
	Ended    Change = "ended" // closed or merged
)
