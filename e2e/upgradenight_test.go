//go:build nightly

package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/store"
)

// D2: a newer program migrates the database of a running server, as an upgrade hook does, and the server continues to
// work. After a restart, it runs if the newer program recorded that the old one is still compatible with the database.
// Otherwise it refuses to start with a clear message.
func TestServerKeepsRunningDuringMigration(t *testing.T) {
	t.Parallel()
	c, _ := startWithSample(t, "docs.localhost")
	exportBundle(t, c.client(c.key), "docs.localhost")
	execSQL(t, c.data, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	execSQL(t, c.data, `ALTER TABLE projects ADD COLUMN of_the_future TEXT NOT NULL DEFAULT ''`)
	execSQL(t, c.data, `UPDATE settings SET value = '9999' WHERE name = 'oldest_program'`)
	publishFolder(t, c.client(c.key), site(t, 3), "later.localhost")
	exportBundle(t, c.client(c.key), "later.localhost")
	c.Stop()

	refused := exec.CommandContext(t.Context(), binary, "serve", "--data", c.data, "--listen", freeAddress(t),
		"--metrics-listen", "off")
	out, err := refused.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "The database has schema 9999; this version of Lectern supports") {
		t.Fatalf("%v: %s", err, out)
	}
	execSQL(t, c.data, fmt.Sprintf(`UPDATE settings SET value = '%d' WHERE name = 'oldest_program'`,
		store.NewestSchema()))
	again := serve(t, c.data, nil)
	exportBundle(t, again.client(c.key), "docs.localhost")
	again.Stop()
}
