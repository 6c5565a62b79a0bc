package shell

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Handler makes the answer to a visit; an error becomes a page of its own.
type Handler func(*Board, *Visit) error

// Route is one page, form or stream.
type Route struct {
	Method  string
	Pattern string       // of the path, as http.ServeMux has it
	Role    account.Role // least role that may use it; AnyRole = everybody who is signed in
	Public  bool         // asks nobody to be signed in
	// OverProjects marks a page or form that is about things of several projects, or of one that its path does not name.
	// Everybody who is signed in may see such a page, since the API shows only what each person may see.
	OverProjects bool
	Live         bool // whether it can be followed: it is rendered repeatedly, so it must be cheap
	// FromOthers reports whether pages of other sites may send the form; nil = they may not. The handler must check what
	// it does then.
	FromOthers func(*Board) bool
	Handle     Handler
}

// The roles that routes ask for.
const (
	AnyRole = account.Role("")
	Guest   = account.RoleGuest
	Viewer  = account.RoleViewer
	Editor  = account.RoleEditor
	Admin   = account.RoleAdmin
)

// Page returns a route that shows something to people who are signed in.
func Page(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Role: role, Handle: h}
}

// LivePage returns a page that updates itself while its frame is marked live.
func LivePage(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Role: role, Live: true, Handle: h}
}

// Form returns a route that does something for them.
func Form(pattern string, role account.Role, h Handler) Route {
	return Route{Method: http.MethodPost, Pattern: pattern, Role: role, Handle: h}
}

// Over returns the route marked as one over projects.
func (r Route) Over() Route {
	r.OverProjects = true
	return r
}

// OpenPage returns a page for everybody.
func OpenPage(pattern string, h Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Public: true, Handle: h}
}

// OpenForm returns a form for everybody.
func OpenForm(pattern string, h Handler) Route {
	return Route{Method: http.MethodPost, Pattern: pattern, Public: true, Handle: h}
}
