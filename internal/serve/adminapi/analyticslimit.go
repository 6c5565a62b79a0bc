package adminapi

import (
	"maps"
	"net/http"
)

// analyticsAnHour is how many requests about analytics an organization's keys may make, all operations together.
const analyticsAnHour = 100

// takeAnalytics counts a request of a key. Members who are signed in look as often as they like: a page asks for many
// things at once.
func (a *api) takeAnalytics(c *call) error {
	if c.principal.Key.ID == "" {
		return nil
	}
	limitHeader := http.Header{} // the response's headers are about the key's own limit unless this one is exceeded
	err := a.analyticsLimit.Take(c.ctx(), c.org(), limitHeader)
	if err != nil {
		maps.Copy(c.w.Header(), limitHeader)
	}
	return err
}
