package store

import "context"

// SetSetting overwrites the value of an existing setting.
func (t *Tx) SetSetting(ctx context.Context, name, value string) error {
	_, err := t.q.exec(ctx, `UPDATE settings SET value = $2 WHERE name = $1`, name, value)
	return wrap("change setting", err)
}

// ClaimSetting stores a value unless the setting already has one, and returns the stored value.
func (t *Tx) ClaimSetting(ctx context.Context, name, claim string) (string, error) {
	if _, err := t.q.exec(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name,
		claim); err != nil {
		return "", wrap("store setting", err)
	}
	held, err := single(ctx, t.q, value[string], `SELECT value FROM settings WHERE name = $1`, name)
	return held, wrap("find setting", err)
}
