package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Leader returns the process that runs the jobs of which a cluster needs one at a time; "" without a leader. now is the
// database's time.
func Leader(ctx context.Context, db DB, now time.Time) (string, error) {
	var (
		leaders []string
		err     error
	)
	if db.Postgres != nil {
		leaders, err = postgresLeaders(ctx, db, now)
	} else {
		leaders, err = sqliteLeaders(ctx, db, now)
	}
	if err != nil {
		return "", fmt.Errorf("find queue leader: %w", err)
	}
	if len(leaders) == 0 {
		return "", nil
	}
	return leaders[0], nil
}

func postgresLeaders(ctx context.Context, db DB, now time.Time) (all []string, err error) {
	rows, err := db.Postgres.Query(ctx, `SELECT leader_id FROM river_leader WHERE expires_at > $1`, now)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}

func sqliteLeaders(ctx context.Context, db DB, now time.Time) (all []string, err error) {
	// The library writes times as text that sorts.
	rows, err := db.SQLite.QueryContext(ctx, `SELECT leader_id FROM river_leader WHERE expires_at > $1`,
		now.UTC().Format("2006-01-02 15:04:05"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}
