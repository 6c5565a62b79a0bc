package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// Database checks an open database.
type Database struct {
	Store *store.Store
}

// Clock differences that cause warnings and errors.
const (
	clockOdd = 2 * time.Second
	clockBad = time.Minute
)

// Look checks version, schema and clock.
func (d Database) Look(ctx context.Context) []Finding {
	version, ahead, err := d.Store.Server(ctx)
	if err != nil {
		return []Finding{FromError(err, "Check that the database is running and accepts this user.",
			"The database does not respond")}
	}
	found := []Finding{fine("%s responds.", version), d.schema(ctx)}
	switch off := ahead.Abs().Round(time.Millisecond); {
	case off >= clockBad:
		found = append(found, failure("Synchronize both clocks with NTP.",
			"The database's clock and this machine's differ by %s: keys and links expire at the wrong time.", off))
	case off >= clockOdd:
		found = append(found, warning("Synchronize both clocks with NTP.",
			"The database's clock and this machine's differ by %s.", off))
	}
	return found
}

func (d Database) schema(ctx context.Context) Finding {
	newer, err := d.Store.CheckSchema(ctx)
	if err != nil {
		return FromError(err, "", "The schema cannot be read")
	}
	version, err := d.Store.SchemaVersion(ctx)
	switch {
	case err != nil:
		return FromError(err, "", "The schema cannot be read")
	case newer:
		return warning("Upgrade this program soon.",
			"A newer Lectern has migrated the database to schema %d; this version supports %d and can still run on it.",
			version, store.NewestSchema())
	case version == 0:
		return warning("If you expect data here, check that this is the right database.",
			"The database is empty; the first start creates the tables.")
	case version < store.NewestSchema():
		return warning("Make a backup, then start the server or run lectern migrate.",
			"The database has schema %d; this version migrates it to %d.", version, store.NewestSchema())
	}
	return fine("The schema, %d, is up to date.", version)
}

// How long a task may wait before the delay counts as a failure or as suspicious, and the longest time between two
// chores while a process uses the database.
const (
	waitsLong = 10 * time.Minute
	waitsOdd  = time.Minute
	choreOld  = 2 * time.Minute
)

// LookAtQueue checks waiting tasks.
func (d Database) LookAtQueue(ctx context.Context) []Finding {
	if v, err := d.Store.SchemaVersion(ctx); err != nil || v != store.NewestSchema() {
		return nil // already reported
	}
	if _, _, err := d.Store.Server(ctx); err != nil { // after this call the store uses the database's clock
		return []Finding{FromError(err, "", "The queue cannot be read")}
	}
	w, err := d.Store.Waiting(ctx)
	if err != nil {
		return []Finding{FromError(err, "", "The queue cannot be read")}
	}
	chores, err := d.Store.ListChores(ctx)
	if err != nil {
		return []Finding{FromError(err, "", "The queue cannot be read")}
	}
	var found []Finding
	if w.Postponed > 0 {
		found = append(found,
			warning("They continue automatically when it is available again. Look for \"waiting\" in the log.",
				"%d jobs are waiting for storage or another dependency that was unavailable or full.", w.Postponed))
	}
	if w.Lapsed > 0 {
		found = append(found,
			warning("A running server or worker picks them up within a minute; start one if none is running.",
				"%d jobs have an expired lease: their workers stopped responding.", w.Lapsed))
	}
	switch {
	case w.Oldest > waitsLong:
		found = append(found, failure("Start more workers, or check the log for why they do not take jobs.",
			"A job has been waiting for %s; %d waiting, %d running.", w.Oldest.Round(time.Second), w.Queued, w.Running))
	case w.Queued > w.Postponed && w.Running == 0 && abandoned(w, chores):
		found = append(found, warning("Start lectern serve or lectern worker.",
			"%d jobs are waiting, and no process seems to be working on this database: %s.", w.Queued, lastChore(chores)))
	}
	if len(found) > 0 {
		return found
	}
	return []Finding{fine("%d jobs waiting, %d running; %s.", w.Queued, w.Running, lastChore(chores))}
}

// abandoned reports whether there is no sign of a running process with workers: workers take jobs within seconds, and
// one process runs a chore every half minute, unless polling is off.
func abandoned(w store.Waiting, chores []store.Chore) bool {
	return len(chores) == 0 || chores[0].Ago > choreOld && w.Oldest > waitsOdd
}

// lastChore describes the last chore run by any process of the cluster, and when it ran.
func lastChore(chores []store.Chore) string {
	if len(chores) == 0 {
		return "no process has run a chore yet"
	}
	last := chores[0]
	return fmt.Sprintf("%s ran the chore %s %s ago", last.Process, last.Name, last.Ago.Round(time.Second))
}
