package store

import (
	"context"
	"math"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// Caps limits how many of an organization's tasks may run at the same time, across all processes; 0 = no limit.
type Caps struct {
	Exports int
	Jobs    int // deployments and exports together; agent jobs, emails and deliveries separately, with the same limit
}

// orAny returns a cap as a number to compare with. If there is no limit, the number is very large.
func orAny(n int) int64 {
	if n <= 0 {
		return math.MaxInt32
	}
	return int64(n)
}

// inForce reports whether tasks of the same organization may have to wait for each other on the lane.
func (c Caps) inForce(lane task.Lane) bool {
	return c.Jobs > 0 || c.Exports > 0 && lane == task.Ordinary || lane == task.Deliveries
}

// load is how many of an organization's tasks are running on a lane.
type load struct {
	organizationID string
	jobs, exports  int64
}

func scanLoad(s scanner) (load, error) {
	var l load
	err := s.Scan(&l.organizationID, &l.jobs, &l.exports)
	return l, err
}

// runningOf counts an organization's running tasks on a lane.
func (r reads) runningOf(ctx context.Context, organizationID string, lane task.Lane) (load, error) {
	l, err := single(ctx, r.q, scanLoad,
		`SELECT $1, count(*), COALESCE(sum(CASE WHEN kind = 'export' THEN 1 ELSE 0 END), 0) FROM tasks
		WHERE organization_id = $1 AND state = 'running' AND $2 LIKE '%,' || kind || ',%'`, organizationID,
		kindList(lane.Kinds()))
	return l, wrap("count running tasks", err)
}
