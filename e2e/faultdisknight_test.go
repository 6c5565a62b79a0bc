//go:build nightly

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// J7: an update that needs more space than the disk has fails after five attempts. Other updates can be published
// afterwards.
func TestUpdateLargerThanDiskFails(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "160")
	data := filepath.Join(disk, "data")
	// The lease is long, because a lease that expires on a busy machine would count as another attempt.
	p := serve(t, data, nil, "--first-site", "off", "--cache-max-bytes", "0", "--job-lease", "6s", "--job-heartbeat",
		"200ms")
	c := p.client(command(t, nil, "keys", "create", "--data", data))
	dir := site(t, 3)
	for _, name := range []string{"a.png", "b.png", "c.png", "d.png", "e.png", "f.png", "g.png", "h.png", "i.png",
		"j.png"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 19<<20), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := c.CreateProject(background(),
		client.CreateProject{Name: "Large", Domain: "large.localhost", Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	var update *client.UpdateStatus
	p.Await("the end of the update", func() bool {
		update, err = c.GetUpdateStatus(background(), made.LastUpdate.StatusID)
		return err == nil && update.Status == "failure"
	})
	if update.Error == nil || !strings.Contains(*update.Error, "more disk space than the server has") {
		t.Errorf("%+v", update)
	}
	p.Await("readiness", func() bool { s, _ := readiness(t, p, ""); return s == http.StatusOK })
	publishFolder(t, c, site(t, 3), "small.localhost")
	p.Stop()
}
