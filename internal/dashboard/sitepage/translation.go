package sitepage

import (
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
)

// translationRow is a language of a site and how far its pages are.
type translationRow struct {
	client.TranslationState
	Name      string // of the language, in the language
	Translate string // address of the form that lets an agent translate what is behind; "" = nothing is, or the member may not
}

func translationRows(v *shell.Visit, projectID string, list []client.TranslationState) (rows []translationRow) {
	for _, t := range list {
		row := translationRow{TranslationState: t, Name: i18n.Name(t.Language)}
		if t.Stale+t.Missing > 0 && v.May(shell.Editor) {
			row.Translate = shell.ProjectPath(projectID, "/agent") + "?prompt=" +
				url.QueryEscape("Translate what is missing or stale into "+t.Language)
		}
		rows = append(rows, row)
	}
	return rows
}
