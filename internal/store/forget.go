package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
)

// forgetReaders deletes the data that identifies the day's readers from a copy of an embedded database, including its
// free pages. Copies with older schemas contain no such data.
func forgetReaders(ctx context.Context, file string) (err error) {
	v := url.Values{"_pragma": {"journal_mode(MEMORY)", "secure_delete(1)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+v.Encode())
	if err != nil {
		return fmt.Errorf("open copy: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for table, statement := range map[string]string{
		"audience_salts": `DELETE FROM audience_salts`, "audience_marks": `DELETE FROM audience_marks`,
		"feedback": `UPDATE feedback SET mark = 0 WHERE mark <> 0`, "reader_sessions": `DELETE FROM reader_sessions`,
	} {
		var n int
		if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1`,
			table).Scan(&n); err != nil {
			return fmt.Errorf("inspect copy: %w", err)
		}
		if n == 0 {
			continue
		}
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("remove readers' data from copy: %w", err)
		}
	}
	return nil
}
