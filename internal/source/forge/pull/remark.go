package pull

import "context"

// Discussion gives access to the discussions in a repository and to people's permissions. It is safe for concurrent
// use, and its errors are those of Host. Every call may be repeated with the same values.
type Discussion interface {
	// Get returns a pull request by number.
	Get(ctx context.Context, number int64) (Pull, error)
	// MayWrite reports whether a person may push to the repository. It is false if the host does not know the
	// person. If the credential may not ask for other people's permissions, the fault is permission_unknown
	// (Forbidden).
	MayWrite(ctx context.Context, who Person) (bool, error)
	// PutComment is like Reporter.PutComment. If Note.Issue is set, number is an issue's number.
	PutComment(ctx context.Context, number int64, n Note) (id string, err error)
}

// Person is a person as named in a code host's event.
type Person struct {
	Name string // login name, for people
	ID   string // identifier for requests to the host; "" = use the name
}

// Remark is a code host's event about a comment or a new label on a pull request or an issue. All of its text is
// untrusted.
type Remark struct {
	Delivery   string // see push.Push
	Repository string // full name on the host: owner/name
	Issue      bool   // about an issue; false = about a pull request
	Number     int64
	URL        string   // of the comment, or of the labelled issue or pull request
	By         Person   // author of the comment, or the person who changed the labels
	Comment    string   // id of the comment; "" = a label event
	Text       string   // text of the comment
	Labels     []string // added labels; all labels, if the host does not say which are new
	Title      string   // of the issue or pull request
	Body       string
	File       string // file of a comment on a line; "" = on the whole
	Line       int
}
