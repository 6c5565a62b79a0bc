package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// checkLedger checks the database: there are as many rows as requested, all are completed, no lease is left, and
// nothing was done twice.
func (s *scenario) checkLedger(all []*docs, exports, publishes int) {
	s.t.Helper()
	for statement, want := range map[string]string{
		`SELECT status, count(*) FROM static_exports GROUP BY status`:                                                                               fmt.Sprintf("completed|%d", exports),
		`SELECT status, count(*) FROM deployments GROUP BY status`:                                                                                  fmt.Sprintf("success|%d", len(all)+publishes),
		`SELECT state, count(*) FROM tasks GROUP BY state`:                                                                                          fmt.Sprintf("done|%d", exports+len(all)+publishes),
		`SELECT count(*) FROM tasks WHERE lease_owner <> '' OR lease_until <> 0`:                                                                    "0",
		`SELECT count(*) FROM (SELECT target FROM events WHERE action = 'export.start' GROUP BY target) x`:                                          fmt.Sprint(exports),
		`SELECT count(*) FROM events WHERE action = 'export.start'`:                                                                                 fmt.Sprint(exports),
		`SELECT count(*) FROM events WHERE action = 'deployment.start'`:                                                                             fmt.Sprint(len(all) + publishes),
		`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`: "0",
		`SELECT count(*) FROM events WHERE action = 'export.join'`:                                                                                  "0",
		`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`:                            "0",
	} {
		got := s.query(statement)
		// processes may still be working
		for deadline := time.Now().Add(lectern.Patience); got != want &&
			time.Now().Before(deadline); got = s.query(statement) {
			<-time.After(200 * time.Millisecond)
		}
		if got != want {
			s.t.Errorf("%s: %q, want %q", statement, got, want)
		}
	}
	most := s.query(`SELECT max(attempts) FROM tasks`)
	twice := s.query(`SELECT count(*) FROM tasks WHERE fence > 1`)
	s.t.Logf("%s tasks were taken more than once; most attempts at one: %s", twice, most)
	if *turmoil >= time.Minute && (twice == "0" || twice == "1" || twice == "2") {
		s.t.Error("too few tasks lost their worker for this test to mean anything")
	}
}

// checkChains verifies every organization's audit log (D8).
func (s *scenario) checkChains(orgs []*organization) {
	s.t.Helper()
	for _, o := range orgs {
		check, err := o.client.CheckEvents(context.Background())
		if err != nil {
			s.t.Error(err)
		} else if !check.Intact || check.Events == 0 {
			s.t.Errorf("the audit log does not verify: %+v %s", check, deref(check.Problem))
		}
	}
}

// making identifies a bundle's content.
type making struct{ domain, label, commit string }

// digests are a bundle's SHA-256 digests in both formats.
type digests struct{ tar, zip string }

// checkBundles downloads the bundles of every export and returns their digests.
func (s *scenario) checkBundles(all []*docs) map[making]digests {
	s.t.Helper()
	clients := map[string]*client.Client{}
	for _, d := range all {
		clients[d.domain] = d.org.client
	}
	made := map[making]digests{}
	for line := range strings.Lines(
		s.query(
			`SELECT e.id, e.domain, e.version, d.commit_id FROM static_exports e JOIN deployments d ON d.id = e.deployment_id`)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		d, err := bundles(clients[f[1]], f[0])
		if err != nil {
			s.t.Errorf("bundle of %s: %v", f[0], err)
		}
		made[making{f[1], f[2], f[3]}] = d
	}
	return made
}

func bundles(c *client.Client, jobID string) (d digests, err error) {
	for _, part := range []struct {
		format client.BundleFormat
		digest *string
	}{{client.BundleFormatTarGz, &d.tar}, {client.BundleFormatZip, &d.zip}} {
		link, err := c.CreateExportBundle(context.Background(), jobID,
			client.CreateExportBundleParams{Format: part.format})
		if err != nil {
			return d, err
		}
		var bundle bytes.Buffer
		if err := c.Download(context.Background(), link, &bundle); err != nil { // checks size and digest
			return d, err
		}
		*part.digest = link.SHA256
	}
	return d, nil
}

// checkObjects compares the bucket with the database after a sweep: each export has exactly one bundle in each format,
// published content exists, and the bucket has no object that the database does not reference.
func (s *scenario) checkObjects() {
	s.t.Helper()
	for _, w := range s.workers {
		w.current().Stop()
	}
	s.query(`DELETE FROM chores WHERE name = 'sweep'`) // so that it is due
	last := s.workers[0]
	last.env = append(last.env, "LECTERN_LOG_LEVEL=debug")
	if err := last.start(); err != nil {
		s.t.Fatal(err)
	}
	swept := regexp.MustCompile(`chore ended.*sweep`)
	last.current().Await("the sweep", func() bool { return swept.MatchString(last.log()) })
	named := map[string]bool{}
	for line := range strings.Lines(s.query(`SELECT bundles FROM static_exports`)) {
		var list []struct{ Key string }
		if err := json.Unmarshal([]byte(line), &list); err != nil || len(list) != 2 {
			s.t.Errorf("bundles of an export: %s (%v)", line, err)
		}
		for _, b := range list {
			named[b.Key] = true
		}
	}
	known := s.query(`SELECT id FROM deployments UNION SELECT id FROM projects`)
	var published []string
	for _, object := range objects.Objects(s.t, s.bucket) {
		key, ours := strings.CutPrefix(object, "lectern/")
		parts := strings.Split(key, "/")
		switch {
		case !ours || len(parts) < 3:
			s.t.Errorf("unknown object %s", object)
		case parts[0] == "exports" && !named[key]:
			s.t.Errorf("a bundle of no export: %s", object)
		case parts[0] == "exports":
			delete(named, key)
		case !strings.Contains(known, parts[1]):
			s.t.Errorf("an object of no project: %s", object)
		default:
			published = append(published, key)
		}
	}
	for key := range named {
		s.t.Errorf("a bundle is missing: %s", key)
	}
	for line := range strings.Lines(
		s.query(`SELECT manifest_key FROM deployments UNION SELECT snapshot_key FROM deployments`)) {
		if key := strings.TrimSpace(line); !slices.Contains(published, key) {
			s.t.Errorf("published content is missing: %s", key)
		}
	}
}

// compare reports the bundles that differ from those of a calm run.
func compare(t *testing.T, made, calm map[making]digests) {
	t.Helper()
	if len(made) == 0 || len(made) != len(calm) {
		t.Errorf("%d bundles, %d in the calm run", len(made), len(calm))
	}
	differ := 0
	for m, d := range made {
		if calm[m] == d && d.tar != "" && d.zip != "" {
			continue
		}
		if differ++; differ <= 5 {
			t.Errorf("%+v: %+v, in the calm run %+v", m, d, calm[m])
		}
	}
	if differ > 0 {
		t.Errorf("%d bundles differ from those of the calm run", differ)
	}
}
