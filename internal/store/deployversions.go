package store

import "github.com/lectern-docs/lectern/internal/domain/deploy"

// versionsJSON returns the column of a deployment's versions; "" = it has none.
func versionsJSON(v *deploy.Versions) string {
	if v == nil {
		return ""
	}
	return asJSON(v)
}

// translationsJSON returns the column of a deployment's translations; "" = its site has one language.
func translationsJSON(list []deploy.Translation) string {
	if len(list) == 0 {
		return ""
	}
	return asJSON(list)
}
