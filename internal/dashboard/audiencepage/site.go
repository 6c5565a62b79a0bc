package audiencepage

import (
	"html/template"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/barchart"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// mostSites is the maximum number of sites for which the list shows counts; each needs one request.
const mostSites = 24

// siteRow is a site with its views in the last seven days.
type siteRow struct {
	client.Project
	Week *Week // nil = not requested
}

// Week is the number of views of a site in seven days.
type Week struct {
	Views   string
	Change  string // compared with the week before; "" = unknown
	Drawing template.HTML
}

// listSites lists all sites with their number of views.
func listSites(b *shell.Board, v *shell.Visit) error {
	d, err := v.API.GetDeployment(v.Ctx())
	if err != nil {
		return err
	}
	if !d.Features.Analytics.Enabled {
		return showOff(v, nil, "Analytics", d.Type, d.Features.Analytics)
	}
	list, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100, Cursor: v.Query("cursor")})
	if err != nil {
		return err
	}
	data := struct {
		Sites []siteRow
		Next  string
	}{Next: shell.Text(list.NextCursor)}
	for i, p := range list.Projects {
		row := siteRow{Project: p}
		if i < mostSites {
			week, err := FindWeek(v, p.ProjectID)
			if pageErr := shell.FormError(err); pageErr != nil && pageErr.Status == http.StatusNotFound {
				continue // deleted since it was listed
			}
			if err != nil {
				return err
			}
			row.Week = &week
		}
		data.Sites = append(data.Sites, row)
	}
	return v.Show(http.StatusOK, "analyticssites", shell.Frame{Title: "Analytics", Section: "analytics"}, data)
}

// FindWeek loads the views of a site in the last seven days and in the seven days before, in one request.
func FindWeek(v *shell.Visit, projectID string) (w Week, err error) {
	tomorrow := v.B.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	sum, err := v.API.GetAnalyticsSummary(v.Ctx(), projectID,
		span{first: tomorrow.AddDate(0, 0, -14), end: tomorrow}.summary())
	if err != nil {
		return w, err
	}
	var now, before int64
	var values []int64
	for i, d := range sum.Days {
		if i < len(sum.Days)-7 {
			before += d.Views.Human
			continue
		}
		now += d.Views.Human
		values = append(values, d.Views.Human)
	}
	return Week{Views: barchart.Number(now), Change: change(now, before),
		Drawing: barchart.Spark("Page views of the last seven days", values)}, nil
}
