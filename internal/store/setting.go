package store

import "context"

// SetSetting stores a value over the one there is.
func (t *Tx) SetSetting(ctx context.Context, name, value string) error {
	_, err := t.q.exec(ctx, `UPDATE settings SET value = $2 WHERE name = $1`, name, value)
	return wrap("change setting", err)
}

// ClaimSetting stores a value unless there is one already, and returns the one that holds.
func (t *Tx) ClaimSetting(ctx context.Context, name, claim string) (string, error) {
	if _, err := t.q.exec(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name,
		claim); err != nil {
		return "", wrap("store setting", err)
	}
	held, err := single(ctx, t.q, value[string], `SELECT value FROM settings WHERE name = $1`, name)
	return held, wrap("find setting", err)
}
