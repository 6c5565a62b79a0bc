package pull

import (
	"context"
	"time"
)

// Host is one repository on a code host, opened with a credential for it. It is safe for concurrent use.
//
// Errors that a caller can act on are faults: forge_key_refused (Forbidden), forge_not_found (NotFound: no such
// repository, or the credential may not see it), forge_busy (Unavailable), forge_bad_answer (Unavailable: not a
// valid API response), forge_refused (Invalid, with the host's message, without secrets). Find and Get return
// NotFound with code unknown_pull for a missing pull request.
type Host interface {
	// Find returns the newest open pull request from branch head or, if none is open, the newest one.
	Find(ctx context.Context, head string) (Pull, error)
	// Get returns a pull request by number.
	Get(ctx context.Context, number int64) (Pull, error)
	// Open creates a pull request. If one from this branch is already open, it is returned instead.
	Open(ctx context.Context, r Request) (Pull, error)
	// Update changes a pull request's title and text; labels and reviewers are added, never removed. A draft
	// becomes ready if the request is not a draft. The opposite never happens, because a person may have marked it
	// ready.
	Update(ctx context.Context, number int64, r Request) (Pull, error)
	// Comments returns the newest comments on a pull request, oldest first, at most 200. The text is untrusted.
	Comments(ctx context.Context, number int64) ([]Comment, error)
}

// State is the state of a pull request.
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
	Base      string // branch they are proposed for
	Draft     bool
	Labels    []string // created if necessary; a label that cannot be set is not an error
	Reviewers []string // user names; a reviewer who cannot be requested is not an error
}

// Pull is a pull request as stored by the host.
type Pull struct {
	Number int64
	URL    string // for people
	State  State
	Draft  bool
	Title  string
	Head   string
	Base   string
	Commit string // head commit; "" if unknown
	Fork   bool   // the changes are in another repository, which may belong to anyone
}

// Comment is a person's comment.
type Comment struct {
	ID     string
	Author string
	Body   string
	File   string // path of the file it refers to; "" = the whole pull request
	Line   int    // 0 = the whole file
	At     time.Time
}

// Event is a code host's event about a pull request.
type Event struct {
	Delivery   string // see push.Push
	Repository string // full name on the host: owner/name
	Number     int64
	URL        string
	Head       string // branch with the changes
	Base       string // branch they are proposed for
	Ref        string // ref from which git fetches the changes in the repository itself; "" = there is none
	Fork       bool   // the changes are in another repository, which may belong to anyone
	HeadCommit string // "" if the host did not send the full id
	Change     Change
	State      State
	Commit     string // of the merge, if merged and known
}

// Change is a kind of event about a pull request.
type Change string

// The changes.
const (
	Opened   Change = "opened"
	Pushed   Change = "pushed" // its commits have changed
	Reopened Change = "reopened"
	Ended    Change = "ended" // closed or merged
)
