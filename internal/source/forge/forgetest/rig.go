package forgetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// Access selects how a driver is opened.
type Access int

// The kinds of access.
const (
	Right       Access = iota // with a valid key, for the repository
	WrongKey                  // with an invalid key
	NoSuchPlace               // with a valid key, for a repository that does not exist
)

// Rig is a code host under test with one repository, which has a branch main. Its functions open the driver and act
// like people on the host.
type Rig struct {
	URL      string                                                  // the server's own address, without a trailing slash
	Open     func(url string, a Access) pull.Host                    // opens the driver for the server at url
	Secrets  []string                                                // texts that must not occur in errors
	Labels   bool                                                    // whether the host has labels
	Crowd    int                                                     // number of comments for the test with many
	Reviewer string                                                  // user name of a possible reviewer
	Branch   func(t testing.TB, name string)                         // creates a branch that differs from main
	Fork     func(t testing.TB, branch string)                       // opens a pull request from a branch of a fork
	Merge    func(t testing.TB, number int64)                        // merges the pull request
	Close    func(t testing.TB, number int64)                        // closes the pull request without merging
	Say      func(t testing.TB, number int64, text string)           // comments on the pull request
	SayAt    func(t testing.TB, number int64, at Place, text string) // comments at a line
	Status   func(t testing.TB, commit, name string) pull.Status     // zero value if there is none
	Checks   func(name string) []CheckRun                            // on GitHub, oldest first
	Reports  func() []Report                                         // on Bitbucket, oldest first
	Uncheck  func()                                                  // revokes the permission for check runs and reports
	Coarse   bool                                                    // the host has one state for failure and error
	Mute     bool                                                    // the host responds to a status with an empty body
	Shown    func(t testing.TB, number int64) Shown                  // the visible parts of a pull request
	Writer   pull.Person                                             // a person who may push
	Reader   pull.Person                                             // a person who may only read
	Stranger pull.Person                                             // a person who is unknown to the host
	Issue    func(t testing.TB) int64                                // opens an issue; nil = the host has none
	Replies  func(t testing.TB, issue int64) []string                // comments on an issue, oldest first
	Release  func(t testing.TB, tag, title, notes string)            // publishes a release; nil = the host has none
	Tag      func(t testing.TB, name string)                         // creates only a tag; nil without releases
	Demote   func()                                                  // revokes the key's administrator permissions
}

// Place is a line of a changed file.
type Place struct {
	File string
	Line int
}

// Shown has the visible parts of a pull request.
type Shown struct {
	Title     string // including any draft mark
	Body      string
	Draft     bool
	Labels    []string
	Reviewers []string
}

// Changed is a line in the file that a rig's branches change.
var Changed = Place{File: "docs/changed.md", Line: 1}

// Client returns a guarded HTTP client that may connect to this machine, just like the server's own client may connect
// to a trusted host.
func Client(t testing.TB) *http.Client {
	t.Helper()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	client := guard.Client(outbound.Limits{Time: time.Minute})
	t.Cleanup(client.CloseIdleConnections)
	return client
}
