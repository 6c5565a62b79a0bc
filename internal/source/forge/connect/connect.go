package connect

import (
	"context"
	"time"
)

// Account is one credential's access to a code host. It is safe for concurrent use. Its errors are those of pull.Host.
type Account interface {
	// Identify returns the credential's account.
	Identify(ctx context.Context) (Identity, error)
	// List returns repositories that the credential can read, in an order that is stable between pages.
	List(ctx context.Context, q Query) (Page, error)
}

// Identity describes a credential's account.
type Identity struct {
	Name    string     // login name, or the name of an App; "" = the host does not say
	Expires *time.Time // nil = never, or the host does not say
	Lacks   []string   // permissions that Lectern uses and the credential lacks, as named by the host, if known
}

// Query selects the repositories to list.
type Query struct {
	Search string                // part of the name, ignoring case; "" = all
	Cursor string                // Page.Next of the previous page; "" = the first page
	Limit  int                   // 1 to 100
	Keep   func(Repository) bool // reports whether to include a repository
}

// Page is a part of a list. It can be empty even if there is a next one, because a call reads a limited number of
// the host's pages.
type Page struct {
	Repositories []Repository
	Next         string // "" = last page
}

// Repository is a repository in a list.
type Repository struct {
	Name    string // including the owner: owner/name
	URL     string // clone URL over HTTP
	Branch  string // default branch; "" = the repository is empty, or the host does not say
	Private bool   // not publicly readable
}

// Place is one repository, opened with a credential for it. It is safe for concurrent use. Its errors are those of
// pull.Host, and webhook_permission_missing (Forbidden).
type Place interface {
	// Rights returns the credential's rights. A repository that it cannot read is a fault.
	Rights(ctx context.Context) (Rights, error)
	// PutHook creates the webhook, or changes the one with the same address.
	PutHook(ctx context.Context, hook Hook) (Outcome, error)
	// DeleteHook deletes the webhook with the given address, if it exists.
	DeleteHook(ctx context.Context, address string) error
}

// Right states whether a credential may do something.
type Right string

// The rights.
const (
	Allowed Right = "allowed"
	Missing Right = "missing"
	Unknown Right = "unknown" // the host does not say
)

// RightIf returns Allowed or Missing.
func RightIf(allowed bool) Right {
	if allowed {
		return Allowed
	}
	return Missing
}

// Rights are a credential's rights in a repository that it can read.
type Rights struct {
	Write    Right // push branches and open pull requests
	Webhooks Right // create and change webhooks
}

// Hook is a webhook for the events that Lectern handles: pushes, changes of pull requests, and comments and labels
// on pull requests and issues.
type Hook struct {
	URL        string
	Secret     string
	OnlyChange bool // only change an existing webhook
}

// Outcome is the result of setting a webhook.
type Outcome string

// The outcomes.
const (
	Created Outcome = "created"
	Changed Outcome = "changed"
	Absent  Outcome = "absent" // only for Hook.OnlyChange
)

// String identifies the hook without its secret (K9).
func (h Hook) String() string { return "webhook " + h.URL }

// GoString is like String, so that %#v does not show the secret either.
func (h Hook) GoString() string { return h.String() }
