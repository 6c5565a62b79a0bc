package store

import "github.com/lectern-docs/lectern/internal/domain/deploy"

// versionsJSON returns the column of a deployment's versions; "" = it has none.
func versionsJSON(v *deploy.Versions) string {
	if v == nil {
		return ""
	}
	return asJSON(v)
}
