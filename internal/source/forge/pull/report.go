package pull

import "context"

// Reporter reports the state of a pull request's preview on a code host. It is safe for concurrent use, and its
// errors are those of Host. Every call may be repeated with the same values.
type Reporter interface {
	// SetStatus sets the status of a commit. It replaces an earlier status with the same name.
	SetStatus(ctx context.Context, commit string, s Status) error
	// PutComment changes our comment on a pull request, or creates it, and returns its id. Our comment is the one
	// with n.ID, if it still exists; otherwise the one that contains n.Marker and was written by the credential's
	// account. If the host does not name that account, only the id counts, because anyone can copy a marker.
	PutComment(ctx context.Context, number int64, n Note) (id string, err error)
}

// StatusState is the state of the work on a commit.
type StatusState string

// The states. Failed is the author's fault, Errored the server's.
const (
	Pending   StatusState = "pending"
	Succeeded StatusState = "success"
	Failed    StatusState = "failure"
	Errored   StatusState = "error"
)

// Status is a status that a code host shows with a commit.
type Status struct {
	Name  string // identifies the status among those of the commit; at most 40 bytes
	State StatusState
	Text  string // one line; hosts truncate it, at 140 characters or later
	URL   string // target of the link; some hosts refuse a status without one
	// Findings are shown at their files and lines if the host supports it; nil = there are none.
	Findings *Findings
}

// Findings are messages about files of a commit.
type Findings struct{ List []Finding }

// Finding is a message about a line. It contains authors' text and no markup.
type Finding struct {
	File    string // relative to the repository's root; "" = no file, so it is not shown
	Line    int    // 0 = the whole file
	Failure bool   // an error rather than a warning
	Title   string // one line
	Message string // one line
}

// Note is a comment to write.
type Note struct {
	ID     string // as returned by PutComment; "" = unknown
	Marker string // part of Body that distinguishes it from other comments
	Body   string // Markdown
	Issue  bool   // on an issue; false = on a pull request
}
