package doctor

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// Database looks at an open database.
type Database struct {
	Store *store.Store
	Now   func() time.Time // this machine's clock
	// Leader is who does what one process of a cluster does, by the database's time; "" = nobody.
	Leader func(ctx context.Context, now time.Time) (string, error)
}

// Differences of clocks from which on things are worth a word, and from which on they go wrong.
const (
	clockOdd = 2 * time.Second
	clockBad = time.Minute
)

// Look asks for version, schema and time.
func (d Database) Look(ctx context.Context) []Finding {
	version, ahead, err := d.Store.Server(ctx)
	if err != nil {
		return []Finding{Trouble(err, "Check that the database runs and lets this user in.", "The database does not answer")}
	}
	found := []Finding{fine("%s answers.", version), d.schema(ctx)}
	switch off := ahead.Abs().Round(time.Millisecond); {
	case off >= clockBad:
		found = append(found, failure("Set both clocks by NTP.", "The database's clock and this machine's differ by %s: keys and links end at wrong times.", off))
	case off >= clockOdd:
		found = append(found, warning("Set both clocks by NTP.", "The database's clock and this machine's differ by %s.", off))
	}
	return found
}

func (d Database) schema(ctx context.Context) Finding {
	newer, err := d.Store.CheckSchema(ctx)
	if err != nil {
		return Trouble(err, "", "The schema cannot be read")
	}
	version, err := d.Store.SchemaVersion(ctx)
	switch {
	case err != nil:
		return Trouble(err, "", "The schema cannot be read")
	case newer:
		return warning("Upgrade this program soon.", "A newer Lectern has migrated the database to schema %d; this program knows %d and can still run on it.", version, store.NewestSchema())
	case version == 0:
		return warning("If there should be data, look whether this is the right database.", "The database is empty; the first start makes the tables.")
	case version < store.NewestSchema():
		return warning("Make a backup, then start the server or run lectern migrate.", "The database has schema %d; this program brings it to %d.", version, store.NewestSchema())
	}
	return fine("The schema, %d, is up to date.", version)
}

// How long a task may wait, and how many may have been left by silent workers, before something is wrong.
const waitsLong = 10 * time.Minute

// LookAtQueue looks at the work that waits.
func (d Database) LookAtQueue(ctx context.Context) []Finding {
	if v, err := d.Store.SchemaVersion(ctx); err != nil || v != store.NewestSchema() {
		return nil // already reported
	}
	_, ahead, err := d.Store.Server(ctx) // from now on the store follows the database's clock
	if err != nil {
		return []Finding{Trouble(err, "", "The queue cannot be looked at")}
	}
	w, err := d.Store.Waiting(ctx)
	if err != nil {
		return []Finding{Trouble(err, "", "The queue cannot be looked at")}
	}
	leader, err := d.Leader(ctx, d.Now().Add(ahead))
	if err != nil {
		return []Finding{Trouble(err, "", "The queue cannot be looked at")}
	}
	var found []Finding
	if w.Postponed > 0 {
		found = append(found, warning("They go on by themselves when it answers again; the log has lines with \"waiting\".", "%d jobs wait for storage, or another part of the server, that did not answer or was full.", w.Postponed))
	}
	if w.Lapsed > 0 {
		found = append(found, warning("A running server or worker takes them up within a minute; start one if none runs.", "%d jobs were left by workers that went silent.", w.Lapsed))
	}
	switch {
	case w.Oldest > waitsLong:
		found = append(found, failure("Start more workers, or look in the log why they take nothing.", "A job has waited for %s; %d wait, %d run.", w.Oldest.Round(time.Second), w.Queued, w.Running))
	case leader == "" && w.Queued > 0:
		found = append(found, warning("Start lectern serve or lectern worker.", "%d jobs wait, and no process of this database works.", w.Queued))
	}
	if len(found) > 0 {
		return found
	}
	who := "no process works on it now"
	if leader != "" {
		who = leader + " leads"
	}
	return []Finding{fine("%d jobs wait, %d run; %s.", w.Queued, w.Running, who)}
}
