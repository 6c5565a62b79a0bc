package overview

import (
	"github.com/lectern-docs/lectern/internal/dashboard/audiencepage"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// readers adds the number of views to the first cards, if analytics are on.
func readers(v *shell.Visit, cards []siteCard) error {
	d, err := v.API.GetDeployment(v.Ctx())
	if err != nil || !d.Features.Analytics.Enabled {
		return err
	}
	for i := range cards[:min(len(cards), overviewDeep)] {
		week, err := audiencepage.FindWeek(v, cards[i].ProjectID)
		if vanished(err) {
			continue
		}
		if err != nil {
			return err
		}
		cards[i].Week = &week
	}
	return nil
}
