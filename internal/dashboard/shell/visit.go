package shell

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// Visit is the state of a request.
type Visit struct {
	B            *Board
	W            http.ResponseWriter
	R            *http.Request
	route        Route
	signin.Visit                // zero on public routes
	API          *client.Client // the admin API with the member's permissions; nil on public routes
	Form         url.Values     // of a POST
	project      string         // project concerned; "" = none
	anywhere     bool           // whether the page concerns several projects
}

// maxForm limits a form, in bytes; the longest input is a prompt with 32,768 characters, each up to 12 bytes in a form.
const maxForm = 512 << 10

func (v *Visit) Ctx() context.Context { return v.R.Context() }

// Role returns the user's role in the project concerned, or else in the current organization. On a page about
// several projects it is their strongest role in any project; the API checks each project.
func (v *Visit) Role() account.Role {
	switch {
	case v.Membership == nil:
		return ""
	case v.anywhere:
		return v.Membership.Member.Strongest()
	}
	return v.Membership.Member.RoleIn(v.project)
}

// About sets the project concerned, if it is not in the path.
func (v *Visit) About(projectID string) { v.project = projectID }

// Anywhere marks the page as one that concerns several projects.
func (v *Visit) Anywhere() { v.anywhere = true }

// May reports whether the user's role is sufficient; pages hide actions that require a stronger one.
func (v *Visit) May(least account.Role) bool { return v.Role().AtLeast(least) }

// InOrganization reports whether the role in the organization is sufficient.
func (v *Visit) InOrganization(least account.Role) bool {
	return v.Membership != nil && v.Membership.Member.Role.AtLeast(least)
}

// checkRole rejects requests that the API would reject anyway. A project that the user may not know about is reported
// as not found.
func (v *Visit) checkRole() error {
	v.project = v.R.PathValue("projectId")
	role := v.Role()
	switch {
	case v.route.Role == AnyRole, role.AtLeast(v.route.Role), v.route.OverProjects && v.route.Role == Viewer:
		return nil
	case v.route.OverProjects && v.Membership.Member.Strongest().AtLeast(v.route.Role):
		return nil
	case v.project != "" && !role.AtLeast(Viewer):
		return fault.New(fault.NotFound, "unknown_project", "Project not found.")
	}
	return account.NeedsRole(v.route.Role, role)
}

// serve identifies the user, checks forms, and calls a route's handler.
func (b *Board) serve(rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &Visit{B: b, W: w, R: r, route: rt}
		if err := v.run(); err != nil {
			v.fail(err)
		}
	})
}

func (v *Visit) run() error {
	if v.R.Method == http.MethodPost {
		v.R.Body = http.MaxBytesReader(v.W, v.R.Body, maxForm)
		if err := v.R.ParseForm(); err != nil {
			return unreadable(err)
		}
		v.Form = v.R.PostForm
	}
	if v.route.Public {
		return v.route.Handle(v.B, v)
	}
	var err error
	if v.Visit, err = v.B.SignIn.Find(v.R); err != nil {
		return err
	}
	if v.R.Method == http.MethodPost {
		if err := v.checkForm(); err != nil {
			return err
		}
	}
	if v.Membership == nil && v.route.Role != "" {
		return v.Show(http.StatusForbidden, "nowhere", Frame{Title: "No organization"}, nil)
	}
	if err := v.checkRole(); err != nil {
		return err
	}
	if v.API, err = v.B.connect(v); err != nil {
		return err
	}
	return v.route.Handle(v.B, v)
}

// Field returns the value of a form field without surrounding spaces.
func (v *Visit) Field(name string) string { return strings.TrimSpace(v.Form.Get(name)) }

// Query returns a parameter of the URL.
func (v *Visit) Query(name string) string { return v.R.URL.Query().Get(name) }

// Show responds with a page.
func (v *Visit) Show(status int, page string, f Frame, data any) error {
	v.fillFrame(&f)
	f.Live = f.Live && v.route.Live
	if v.R.Method == http.MethodPost {
		f.Live, f.Working = false, false // the URL belongs to the form, so there is no page to update
	}
	v.B.page(v.W, v.R, status, page, f, data)
	return nil
}

// Done redirects to a page after a form was processed; path may have a fragment. The page confirms the form with the
// notice did, a key of Notices.
func (v *Visit) Done(path, did string) error {
	path, part, has := strings.Cut(path, "#")
	if did != "" {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		path += sep + "did=" + url.QueryEscape(did)
		v.setDid(did, 60)
	}
	if has {
		path += "#" + part
	}
	http.Redirect(v.W, v.R, path, http.StatusSeeOther)
	return nil
}

// fail responds with an error page. Users who are not signed in are redirected to the sign-in page.
func (v *Visit) fail(err error) {
	pageErr := NewPageError(err)
	if pageErr.Status == http.StatusUnauthorized {
		if pageErr.Code == signin.SessionEnded { // but not if the session only switched to another organization
			v.B.SignIn.ClearCookie(v.W, v.R)
		}
		if v.R.Method == http.MethodGet && !strings.HasPrefix(v.R.URL.Path, "/dashboard/live") {
			http.Redirect(v.W, v.R, "/dashboard/sign-in?next="+url.QueryEscape(v.R.URL.RequestURI()),
				http.StatusSeeOther)
			return
		}
	}
	if pageErr.Status >= http.StatusInternalServerError && v.Ctx().Err() == nil { // unless the client has disconnected
		v.B.Log.ErrorContext(v.Ctx(), "dashboard request failed", "path", v.R.URL.Path, "error", err)
	}
	f := Frame{Title: pageErr.Message}
	if v.Membership != nil {
		v.fillFrame(&f)
	}
	v.B.page(v.W, v.R, pageErr.Status, "error", f, pageErr)
}
