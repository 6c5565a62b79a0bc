package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

// EmbeddedInUse reports whether deleting the repositories of the embedded code host would lose data. This is the case
// if a project has its only source there, or if a proposal is open.
func (r reads) EmbeddedInUse(ctx context.Context) (bool, error) {
	used, err := single(ctx, r.q, value[int64],
		`SELECT (SELECT count(*) FROM projects WHERE repository = $1) + (SELECT count(*) FROM proposals WHERE state = 'open')`, project.Own)
	return used > 0, wrap("check use of hosted repositories", err)
}

// FindSetting returns the value of a setting, or "" if it is not set.
func (r reads) FindSetting(ctx context.Context, name string) (string, error) {
	held, err := single(ctx, r.q, value[string], `SELECT COALESCE((SELECT value FROM settings WHERE name = $1), '')`,
		name)
	return held, wrap("find setting", err)
}
