package shell

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Handler responds to a visit; an error is shown as an error page.
type Handler func(*Board, *Visit) error

// Route is one page, form or stream.
type Route struct {
	Method  string
	Pattern string       // of the path, in the format of http.ServeMux
	Role    account.Role // minimum role; AnyRole = everyone who is signed in
	Public  bool         // requires no sign-in
	// OverProjects marks a page or form that concerns several projects, or one that is not in its path. Everyone who
	// is signed in may open such a page, since the API shows only what each user may see.
	OverProjects bool
	Live         bool // whether it supports live updates: it is rendered repeatedly, so it must be cheap
	// FromOthers reports whether pages of other sites may submit the form; nil = they may not. If they may, the
	// handler must validate it.
	FromOthers func(*Board) bool
	Handle     Handler
}

// Roles required by routes.
const (
	AnyRole = account.Role("")
	Guest   = account.RoleGuest
	Viewer  = account.RoleViewer
	Editor  = account.RoleEditor
	Admin   = account.RoleAdmin
)

// Page returns a route that shows a page to signed-in users.
func Page(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Role: role, Handle: h}
}

// LivePage returns a page that is updated while its frame is marked live.
func LivePage(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Role: role, Live: true, Handle: h}
}

// Form returns a route that processes a form submitted by a signed-in user.
func Form(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodPost, Pattern: pattern, Role: role, Handle: h}
}

// Over returns the route with OverProjects set.
func (r Route) Over() Route {
	r.OverProjects = true
	return r
}

// OpenPage returns a public page.
func OpenPage(pattern string, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Public: true, Handle: h}
}

// OpenForm returns a public form.
func OpenForm(pattern string, h Handler) Route {
	return Route{Method: http.MethodPost, Pattern: pattern, Public: true, Handle: h}
}
