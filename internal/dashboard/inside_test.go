package dashboard

import "github.com/lectern-docs/lectern/internal/domain/account"

// RouteInfo is a route in the form used by tests.
type RouteInfo struct {
	Method, Pattern string
	Role            account.Role
	Public          bool
}

// Routes lists all routes of the dashboard.
func Routes() (out []RouteInfo) {
	for _, r := range routes() {
		out = append(out, RouteInfo{r.Method, r.Pattern, r.Role, r.Public})
	}
	return out
}
