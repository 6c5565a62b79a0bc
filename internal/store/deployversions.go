package store

import "github.com/lectern-docs/lectern/internal/domain/deploy"

// versionsJSON encodes a deployment's versions for the database column; "" = no versions.
func versionsJSON(v *deploy.Versions) string {
	if v == nil {
		return ""
	}
	return asJSON(v)
}

// translationsJSON encodes a deployment's translations for the database column; "" = the site has one language.
func translationsJSON(list []deploy.Translation) string {
	if len(list) == 0 {
		return ""
	}
	return asJSON(list)
}
