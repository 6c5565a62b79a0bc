package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// longestPause returns a duration that is longer than any pause of a postponed task of this kind. A pause that ends
// later than that was written before the clock was set back (J10).
func longestPause(k task.Kind) time.Duration {
	switch k {
	case task.Mail:
		return farPause + farMailPause
	case task.Delivery:
		return farPause + farDeliveryPause
	case task.Report, task.Mention:
		return farPause + farReportPause
	}
	return farPause
}

// due returns an SQL condition for queued tasks: a postponed task must have reached the end of its pause. now is the
// SQL parameter with the current time.
func due(now string) string {
	var pauses strings.Builder
	for _, k := range allKinds() {
		fmt.Fprintf(&pauses, " WHEN '%s' THEN %d", k, longestPause(k).Microseconds())
	}
	return fmt.Sprintf(`(not_before <= %s OR not_before > %[1]s + CASE kind%s ELSE %d END)`, now, &pauses,
		farPause.Microseconds())
}

// maxPerReceiver limits how many tasks with the same receiver may run, so that a slow or unreachable receiver does not
// block others.
const maxPerReceiver = 2

// receiversFull selects the receivers that have maxPerReceiver running tasks.
var receiversFull = fmt.Sprintf(`SELECT b.receiver FROM tasks b WHERE b.state = 'running' AND b.receiver <> ''
	GROUP BY b.receiver HAVING count(*) >= %d`, maxPerReceiver)

// firstFree returns an SQL expression for the id of the listed task that the next worker for an organization gets; it
// is NULL if there is none. The expression looks up the receivers of the tasks one by one, so that a long backlog for a
// full receiver is not read.
func firstFree(organization string, k task.Kind) string {
	of := fmt.Sprintf(`f.state = 'queued' AND f.listed AND f.organization_id = %s AND f.kind = '%s'`, organization, k)
	if k.Lane() != task.Deliveries {
		return `(SELECT f.id FROM tasks f WHERE ` + of + ` ORDER BY f.created_at, f.id LIMIT 1)`
	}
	return `(SELECT g.id FROM tasks g JOIN (
			WITH RECURSIVE r (receiver) AS (SELECT min(f.receiver) FROM tasks f WHERE ` + of + `
				UNION ALL SELECT (SELECT min(f.receiver) FROM tasks f WHERE ` + of + ` AND f.receiver > r.receiver)
					FROM r WHERE r.receiver IS NOT NULL)
			SELECT (SELECT f.id FROM tasks f WHERE ` + of + ` AND f.receiver = r.receiver ORDER BY f.created_at, f.id LIMIT 1) AS id
				FROM r WHERE r.receiver IS NOT NULL AND r.receiver NOT IN (` + receiversFull + `)) h ON g.id = h.id
		ORDER BY g.created_at, g.id LIMIT 1)`
}
