package setting

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// analytics says what the page will show and whether this deployment can have it. Nothing is counted yet, so there are no numbers.
func analytics(b *shell.Board, v *shell.Visit) error {
	d, err := v.API.GetDeployment(v.Ctx())
	if err != nil {
		return err
	}
	data := struct {
		Type string
		client.Feature
	}{d.Type, d.Features.Analytics}
	return v.Show(http.StatusOK, "analytics", shell.Frame{Title: "Analytics", Section: "analytics"}, data)
}
