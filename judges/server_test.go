package judges

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

var printedKey = regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`)

// server is a running Lectern with default settings and its own docs as the first site.
type server struct {
	url, key string
	client   *client.Client
	process  *lectern.Process
}

// serve starts a server that runs until the end of the test.
func serve(t *testing.T, args ...string) server {
	t.Helper()
	address := lectern.FreeAddress(t)
	s := server{url: "http://" + address}
	p := lectern.Spawn(t, binary, nil,
		append([]string{"serve", "--data", filepath.Join(t.TempDir(), "data"), "--listen", address}, args...)...)
	s.process = p
	p.Await("readiness", func() bool { return lectern.Status(s.url+"/readyz") == http.StatusOK })
	p.Await("the first key", func() bool { return printedKey.MatchString(p.Output()) })
	s.key = printedKey.FindString(p.Output())
	var err error
	if s.client, err = client.New(s.url, s.key); err != nil {
		t.Fatal(err)
	}
	return s
}

// tour waits until the second site of a new server, which has its own repository, is published.
func tour(t *testing.T, s server) client.Project {
	t.Helper()
	list, err := s.client.ListProjects(t.Context(), client.ListProjectsParams{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list.Projects, func(p client.Project) bool { return strings.HasPrefix(p.Domain, "tour.") })
	if i < 0 {
		t.Fatalf("no tour among %+v", list.Projects)
	}
	if _, err := s.client.WaitUpdate(t.Context(), list.Projects[i].LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	return list.Projects[i]
}
