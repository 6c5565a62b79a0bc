package sitepage

import (
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// translationRow is a language of a site and how far its pages are.
type translationRow struct {
	client.TranslationState
	Translate string // address of the form that lets an agent translate what is behind; "" = nothing is, or the member may not
}

func translationRows(v *shell.Visit, projectID string, list []client.TranslationState) (rows []translationRow) {
	for _, t := range list {
		row := translationRow{TranslationState: t}
		if t.Stale+t.Missing > 0 && v.May(shell.Editor) {
			row.Translate = shell.ProjectPath(projectID, "/agent") + "?prompt=" +
				url.QueryEscape("Translate what is missing or stale into "+t.Language)
		}
		rows = append(rows, row)
	}
	return rows
}
