package pull

import "context"

// Reporter shows people on a code host how the preview of a pull request is doing. It is safe for concurrent use, and its
// errors are those of Host. Every method may be called twice with the same values.
type Reporter interface {
	// SetStatus sets the status of a commit. The last one with the same name replaces those before.
	SetStatus(ctx context.Context, commit string, s Status) error
	// PutComment changes our comment below a pull request, or makes it, and returns its id. The comment is the one with
	// n.ID, if that is still there; else the one that has n.Marker and was written by whoever the credential is for. If
	// the host does not say who that is, only the id counts: anybody can copy a marker.
	PutComment(ctx context.Context, number int64, n Note) (id string, err error)
}

// StatusState is how the work on a commit is going.
type StatusState string

// The states. Failed is the author's fault, Errored is ours.
const (
	Pending   StatusState = "pending"
	Succeeded StatusState = "success"
	Failed    StatusState = "failure"
	Errored   StatusState = "error"
)

// Status is what a code host shows beside a commit.
type Status struct {
	Name  string // which of the commit's statuses it is; at most 40 bytes
	State StatusState
	Text  string // one line; hosts cut it, at 140 characters or later
	URL   string // where a click leads; some hosts refuse a status without one
	// Findings are shown at their files and lines where a host can do that; nil = there are none.
	Findings *Findings
}

// Findings are remarks about files of a commit.
type Findings struct{ List []Finding }

// Finding is a remark about a line. It has text of authors, and is not markup.
type Finding struct {
	File    string // below the repository's root; "" = about no file, so that it is not shown
	Line    int    // 0 = the whole file
	Failure bool   // an error; otherwise a warning
	Title   string // one line
	Message string // one line
}

// Note is a comment of ours.
type Note struct {
	ID     string // as PutComment returned it; "" = not known
	Marker string // part of Body that tells it from the comments of others
	Body   string // Markdown
	Issue  bool   // it is below an issue; false = below a pull request
}
