package queue

import (
	"context"
	"database/sql"
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

func sqliteLeaders(ctx context.Context, db DB, now time.Time) ([]string, error) {
	// The library writes times as text that sorts.
	return texts(db.SQLite.QueryContext(ctx, `SELECT leader_id FROM river_leader WHERE expires_at > $1`,
		now.UTC().Format("2006-01-02 15:04:05")))
}

// texts reads the only column of a result.
func texts(rows *sql.Rows, err error) (all []string, _ error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err has its error
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
