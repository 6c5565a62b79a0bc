package build

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/web/theme"
)

// prepareAnalytics adds the script and style sheet that report what readers do; it returns the zero value when
// analytics are off. Bundles that are served elsewhere and have no server to report to get neither.
func (b *builder) prepareAnalytics() (c layout.Count, err error) {
	a := &b.opt.Offers.Analytics
	if a.On && a.To == "" && b.opt.Links != link.Clean {
		*a = capability.Analytics{}
	}
	if !a.On {
		return c, nil
	}
	script, err := b.tools.front.script(theme.Analytics, nil)
	if err != nil {
		return c, err
	}
	sheet, err := b.tools.front.sheet(theme.AnalyticsStyles())
	if err != nil {
		return c, err
	}
	c.Script, c.Sheet, c.Path = b.bundle.Add("analytics.js", script), b.bundle.Add("analytics.css", sheet), b.addr.Path
	c.Event, c.Feedback = strings.TrimPrefix(capability.CountPath, "/"), strings.TrimPrefix(capability.ThumbPath, "/")
	if to := strings.TrimRight(a.To, "/"); to != "" {
		c.Event, c.Feedback = to+capability.CountPath, to+capability.ThumbPath
	}
	return c, nil
}
