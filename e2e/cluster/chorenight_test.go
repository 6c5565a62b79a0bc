//go:build nightly

package cluster

import (
	"strconv"
	"strings"
	"testing"
)

// Chores, the periodic work of a cluster, run once per period, however many workers there are, and continue after the
// worker that ran them last is killed.
func TestChoresRunOnceAndSurviveWorkerKill(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, 2, "LECTERN_GIT_POLL_INTERVAL=1s")
	c.recordChores()
	c.workers[0].current().Await("chores", func() bool { return c.choresDone("") >= 6 })

	last := c.query(`SELECT process FROM chores WHERE name = 'poll'`)
	killed, other := c.workers[0], c.workers[1]
	if !strings.Contains(killed.log(), last) {
		killed, other = other, killed
	}
	if !strings.Contains(killed.log(), last) {
		t.Fatalf("%q is not a worker", last)
	}
	killed.current().Kill()
	before := c.choresDone(last)
	other.current().Await("chores by the other worker", func() bool { return c.choresDone("") >= before+10 })
	if got := c.query(`SELECT count(*) FROM poll_claims WHERE process <> before AND at - last < 1000000`); got != "0" {
		t.Errorf("another process started %s chores within a period", got)
	}
}

// recordChores records each claim of the poll chore, because the chores table keeps only the last one.
func (c *cluster) recordChores() {
	c.t.Helper()
	c.query(`CREATE TABLE poll_claims (process TEXT, before TEXT, at BIGINT, last BIGINT)`)
	c.query(`CREATE FUNCTION record_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO poll_claims VALUES (NEW.process, OLD.process, NEW.claimed_at, OLD.claimed_at); RETURN NEW; END $$`)
	c.query(`CREATE TRIGGER record_claim AFTER UPDATE ON chores FOR EACH ROW WHEN (NEW.name = 'poll')
		EXECUTE FUNCTION record_claim()`)
}

// choresDone counts claims by a process, or by all. Renewals, which come sooner than a period after the previous claim,
// do not count.
func (c *cluster) choresDone(process string) int {
	c.t.Helper()
	n, err := strconv.Atoi(c.query(`SELECT count(*) FROM poll_claims WHERE at - last >= 1000000 AND process LIKE '` +
		process + `%'`))
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}
