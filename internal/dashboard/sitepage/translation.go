package sitepage

import (
	"net/url"
	"slices"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
)

// translationRow is one of a site's languages, with the translation's progress.
type translationRow struct {
	client.TranslationState
	Name string // of the language, in that language
	// URL of the form that lets an agent translate outdated pages; "" = there are none, the member may not, or there
	// is no suitable model
	Translate string
	All       string // URL of the page that lists all outdated pages; "" = Behind has them
}

// maxBehindShown is the number of outdated pages per language that a project's page lists, because that page reloads
// while it is open.
const maxBehindShown = 20

// shortened returns the rows with the first outdated pages of each language; the deployment's page shows all of them.
func shortened(rows []translationRow, deploymentID string) []translationRow {
	for i := range rows {
		if len(rows[i].Behind) > maxBehindShown {
			rows[i].Behind, rows[i].All = rows[i].Behind[:maxBehindShown], "/dashboard/deployments/"+deploymentID
		}
	}
	return rows
}

func translationRows(v *shell.Visit, projectID string, list []client.TranslationState) (rows []translationRow) {
	can := v.May(shell.Editor) && slices.ContainsFunc(v.B.Models, func(m string) bool { return m != rules.Name })
	for _, t := range list {
		row := translationRow{TranslationState: t, Name: i18n.Name(t.Language)}
		if t.Stale+t.Missing > 0 && can {
			row.Translate = shell.ProjectPath(projectID, "/agent") + "?prompt=" +
				url.QueryEscape("Translate what is missing or stale into "+t.Language)
		}
		rows = append(rows, row)
	}
	return rows
}
