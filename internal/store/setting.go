package store

import (
	"context"
	"errors"
)

// FindSetting returns a value the server keeps about itself, or "" if it was never set.
func (r reads) FindSetting(ctx context.Context, name string) (string, error) {
	v, err := single(ctx, r.q, value[string], `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, errNone) {
		return "", nil
	}
	return v, wrap("find setting", err)
}

// SetSetting stores a value over the one there is.
func (t *Tx) SetSetting(ctx context.Context, name, value string) error {
	_, err := t.q.exec(ctx, `UPDATE settings SET value = $2 WHERE name = $1`, name, value)
	return wrap("change setting", err)
}

// ClaimSetting stores a value unless there is one already, and returns the one that holds.
func (t *Tx) ClaimSetting(ctx context.Context, name, value string) (string, error) {
	if _, err := t.q.exec(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", wrap("store setting", err)
	}
	return t.FindSetting(ctx, name)
}
