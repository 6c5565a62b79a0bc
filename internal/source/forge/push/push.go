package push

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ErrIgnored is returned for authentic events that push neither a branch nor a tag.
var ErrIgnored = errors.New("event is not a push to a branch or tag")

// Push is a push event. If a host reports several branches at once, the first is in Branch, Commit and Deleted, and the
// others are in More.
type Push struct {
	Delivery   string // the host's id of this delivery, the same when it is sent again; "" if there is none
	Repository string // full name on the host: owner/name
	Branch     string
	Commit     string // "" if deleted
	Deleted    bool
	More       []Change
}

// Change is a change to one branch or tag.
type Change struct {
	Branch  string // short name of a branch, or full name of a tag: refs/tags/v1
	Commit  string // "" if deleted
	Deleted bool
}

// TagPrefix is the prefix of a tag's full name.
const TagPrefix = "refs/tags/"

// Tag reports whether the change is to a tag.
func (c Change) Tag() bool { return strings.HasPrefix(c.Branch, TagPrefix) }

// Ref returns the full name of the branch or tag.
func (c Change) Ref() string {
	if c.Tag() {
		return c.Branch
	}
	return branchPrefix + c.Branch
}

// Changes lists the changes to all branches and tags.
func (p Push) Changes() []Change { return append([]Change{{p.Branch, p.Commit, p.Deleted}}, p.More...) }

// Find returns the change to a branch, if the push contains one.
func (p Push) Find(branch string) (Change, bool) {
	for _, c := range p.Changes() {
		if c.Branch == branch {
			return c, true
		}
	}
	return Change{}, false
}

// Decode decodes a driver's payload. Unknown fields are accepted, because hosts add new ones.
func Decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return Malformed("The event's body does not have the expected JSON format.").WithCause(err)
	}
	return nil
}

// Malformed returns the fault for an authentic but invalid event.
func Malformed(text string) *fault.Error { return fault.New(fault.Invalid, "bad_event", text) }

// Gone is the commit id that hosts send for a deleted reference.
const Gone = "0000000000000000000000000000000000000000"

// FromRef returns the change for a full reference name and its new commit, which is all zeros if the reference was
// deleted. For references that are neither branches nor tags, the error is ErrIgnored.
func FromRef(ref, commit string) (Change, error) {
	branch, ok := strings.CutPrefix(ref, branchPrefix)
	if strings.HasPrefix(ref, TagPrefix) && ref != TagPrefix {
		return NewChange(ref, commit)
	}
	if !ok {
		if strings.HasPrefix(ref, "refs/") {
			return Change{}, ErrIgnored
		}
		return Change{}, Malformed("The event has no reference.")
	}
	return NewChange(branch, commit)
}

const branchPrefix = "refs/heads/"

// NewChange is like FromRef, for a branch's short name or a tag's full name.
func NewChange(branch, commit string) (Change, error) {
	if branch == "" || len(branch) > 250 {
		return Change{}, Malformed("The event has no branch.")
	}
	if len(commit) != 40 && len(commit) != 64 || strings.Trim(commit, "0123456789abcdef") != "" {
		return Change{}, Malformed("The event's commit is not a commit id.")
	}
	if strings.Trim(commit, "0") == "" {
		return Change{Branch: branch, Deleted: true}, nil
	}
	return Change{Branch: branch, Commit: commit}, nil
}

// New returns a push; it requires a repository and at least one change.
func New(delivery, repository string, changes ...Change) (Push, error) {
	if repository == "" {
		return Push{}, Malformed("The event has no repository.")
	}
	if len(changes) == 0 {
		return Push{}, ErrIgnored
	}
	if len(delivery) > 200 {
		return Push{}, Malformed("The event's delivery id is too long.")
	}
	return Push{
		Delivery: delivery, Repository: repository,
		Branch: changes[0].Branch, Commit: changes[0].Commit, Deleted: changes[0].Deleted, More: changes[1:],
	}, nil
}
