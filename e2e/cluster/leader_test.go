package cluster

import (
	"strconv"
	"strings"
	"testing"
)

// Chores are done once in each period, however many workers there are, and go on when the one that sees to them is
// killed.
func TestScheduledWorkRunsOnceAndSurvivesItsLeader(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, 2, "LECTERN_GIT_POLL_INTERVAL=1s")
	runs := func(after string) int {
		n,
			err := strconv.Atoi(c.query(
			`SELECT count(*) FROM river_job WHERE kind = 'chore' AND args->>'name' = 'poll' AND state = 'completed' AND id > ` + after))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := func() string { return c.query(`SELECT COALESCE(max(id), 0) FROM river_job`) }
	first := last()
	c.workers[0].current().Await("chores", func() bool { return runs(first) >= 6 })
	c.checkPace(first)

	leader := c.leader()
	leader.current().Kill()
	from := last()
	other := c.workers[0]
	if other == leader {
		other = c.workers[1]
	}
	other.current().Await("chores by the other worker", func() bool { return runs(from) >= 4 })
	c.checkPace(from)
	if now := c.leader(); now != other {
		t.Errorf("%s is the leader, which was killed", now.name)
	}
	if got := c.query(
		`SELECT count(*) FROM river_job WHERE kind = 'chore' AND (attempt > 1 OR state IN ('retryable', 'discarded'))`); got != "0" {
		t.Errorf("%s chores were tried again", got)
	}
}

// leader returns the worker that runs chores, by its own name in the database.
func (c *cluster) leader() *machine {
	c.t.Helper()
	id := c.query(`SELECT leader_id FROM river_leader`)
	for _, w := range c.workers {
		if id != "" && strings.Contains(w.log(), id) {
			return w
		}
	}
	c.t.Fatalf("nobody is the leader %q", id)
	return nil
}

// checkPace counts the chores since an id: no more than there were periods between the first and the last, one at each
// end included.
func (c *cluster) checkPace(after string) {
	c.t.Helper()
	found := c.query(`SELECT count(*) <= extract(epoch FROM max(created_at) - min(created_at)) + 1.5, count(*), max(created_at) - min(created_at)
		FROM river_job WHERE kind = 'chore' AND args->>'name' = 'poll' AND id > ` + after)
	if !strings.HasPrefix(found, "t|") {
		c.t.Errorf("more chores than periods: %s", found)
	}
}
