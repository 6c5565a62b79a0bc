package build

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/web/theme"
)

// addAnalytics adds the script and style sheet that report readers' actions. It returns the zero value if analytics
// are disabled. path returns the address by which events identify a page.
func addAnalytics(
	to *asset.Bundle, front *frontEnd, a capability.Analytics, path func(page string) string,
) (c layout.Count, err error) {
	if !a.On {
		return c, nil
	}
	script, err := front.script(theme.Analytics, nil)
	if err != nil {
		return c, err
	}
	sheet, err := front.sheet(theme.AnalyticsStyles())
	if err != nil {
		return c, err
	}
	c.Script, c.Sheet, c.Path = to.Add("analytics.js", script), to.Add("analytics.css", sheet), path
	c.Event, c.Feedback = strings.TrimPrefix(capability.CountPath, "/"), strings.TrimPrefix(capability.ThumbPath, "/")
	if at := strings.TrimRight(a.To, "/"); at != "" {
		c.Event, c.Feedback = at+capability.CountPath, at+capability.ThumbPath
	}
	return c, nil
}
