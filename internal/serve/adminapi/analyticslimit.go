package adminapi

import (
	"maps"
	"net/http"
)

// analyticsAnHour is the number of analytics requests per hour for an organization's keys, across all operations.
const analyticsAnHour = 100

// takeAnalytics counts a request made with a key. Signed-in members have no limit, because one page needs many
// requests.
func (a *api) takeAnalytics(c *call) error {
	if c.principal.Key.ID == "" {
		return nil
	}
	limitHeader := http.Header{} // the response headers describe the key's own limit unless this one is exceeded
	err := a.analyticsLimit.Take(c.ctx(), c.org(), limitHeader)
	if err != nil {
		maps.Copy(c.w.Header(), limitHeader)
	}
	return err
}
