package forgetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// Access says how a driver is opened.
type Access int

// The ways.
const (
	Right       Access = iota // with a good key, for the repository
	WrongKey                  // with a key that the host does not know
	NoSuchPlace               // with a good key, for a repository that is not there
)

// Rig is a code host under test: one repository with a branch main, whom the driver speaks to, and what people do
// there.
type Rig struct {
	URL      string                                                  // the server's own address, without a final slash
	Open     func(url string, a Access) pull.Host                    // the driver, which reaches the server under url
	Secrets  []string                                                // what no error may show
	Labels   bool                                                    // whether the host has labels
	Crowd    int                                                     // how many comments are worth making there
	Reviewer string                                                  // user name of somebody who can be asked
	Branch   func(t testing.TB, name string)                         // makes a branch that differs from main
	Fork     func(t testing.TB, branch string)                       // opens a pull request from a branch of a fork
	Merge    func(t testing.TB, number int64)                        // what a person does
	Close    func(t testing.TB, number int64)                        // likewise
	Say      func(t testing.TB, number int64, text string)           // comments below the pull request
	SayAt    func(t testing.TB, number int64, at Place, text string) // comments at a line
	Status   func(t testing.TB, commit, name string) pull.Status     // zero if there is none
	Checks   func(name string) []CheckRun                            // on GitHub, the oldest first
	Reports  func() []Report                                         // on Bitbucket, the oldest first
	Uncheck  func()                                                  // takes the permission for check runs and reports away
	Coarse   bool                                                    // the host has one state for failure and error
	Mute     bool                                                    // it responds to a status with an empty body
	Shown    func(t testing.TB, number int64) Shown                  // what people see
	Writer   pull.Person                                             // somebody who may push
	Reader   pull.Person                                             // somebody who may only read
	Stranger pull.Person                                             // somebody whom the host does not know
	Issue    func(t testing.TB) int64                                // opens an issue; nil = the host has none
	Replies  func(t testing.TB, issue int64) []string                // comments below an issue, oldest first
	Release  func(t testing.TB, tag, title, notes string)            // publishes a release; nil = the host has none
	Tag      func(t testing.TB, name string)                         // makes a tag without a release; nil without releases
	Demote   func()                                                  // makes the key one of somebody who administers nothing
}

// Place is a line of a changed file.
type Place struct {
	File string
	Line int
}

// Shown is what people see of a pull request.
type Shown struct {
	Title     string // with any mark of a draft
	Body      string
	Draft     bool
	Labels    []string
	Reviewers []string
}

// Changed is the file that a rig's branches change, and a line of it.
var Changed = Place{File: "docs/changed.md", Line: 1}

// Client returns a guarded HTTP client that may reach this machine, as the server's own may reach a trusted host.
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
