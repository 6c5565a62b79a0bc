package pull

import "context"

// Discussion is where people of a repository talk, and who may take part. It is safe for concurrent use, and its errors are
// those of Host. Every method may be called twice with the same values.
type Discussion interface {
	// Get returns a pull request by its number.
	Get(ctx context.Context, number int64) (Pull, error)
	// MayWrite reports whether somebody may push to the repository. It is false if the host does not know them; if it does
	// not say to this credential what others may do, the fault is permission_unknown (Forbidden).
	MayWrite(ctx context.Context, who Person) (bool, error)
	// PutComment is that of Reporter. With Note.Issue, number is that of an issue.
	PutComment(ctx context.Context, number int64, n Note) (id string, err error)
}

// Person is somebody as a code host names them in a report.
type Person struct {
	Name string // login name, for people
	ID   string // by which the host is asked about them; "" = by the name
}

// Remark is a code host's report that somebody wrote a comment on a pull request or an issue, or gave it a label. All of its
// text is untrusted.
type Remark struct {
	Delivery   string // as in push.Push
	Repository string // full name on the host: owner/name
	Issue      bool   // it is about an issue; false = about a pull request
	Number     int64
	URL        string   // of the comment, or of what was labelled
	By         Person   // who wrote the comment or changed the labels
	Comment    string   // id of the comment; "" = the labels have changed
	Text       string   // of the comment
	Labels     []string // those that were added; all labels, if the host does not say which are new
	Title      string   // of the issue or pull request
	Body       string
	File       string // of a comment at a line; "" = it is about the whole
	Line       int
}
