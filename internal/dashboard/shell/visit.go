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

// Visit is one request on its way through its handler.
type Visit struct {
	B            *Board
	W            http.ResponseWriter
	R            *http.Request
	route        Route
	signin.Visit                // zero on public routes
	API          *client.Client // the admin API with the member's rights; nil on public routes
	Form         url.Values     // of a POST
	project      string         // that the page is about; "" = none
	anywhere     bool           // whether the page is about things of several projects
}

// bytes; prompts are the longest thing people send: 32,768 characters, each up to 12 bytes in a form
const maxForm = 512 << 10

func (v *Visit) Ctx() context.Context { return v.R.Context() }

// Role returns what the person may do in the project that the page is about, else in the organization they look at. On
// a page about things of several projects it is the strongest role they have in any; the API decides about each.
func (v *Visit) Role() account.Role {
	switch {
	case v.Membership == nil:
		return ""
	case v.anywhere:
		return v.Membership.Member.Strongest()
	}
	return v.Membership.Member.RoleIn(v.project)
}

// About says which project the page is about, where its path does not.
func (v *Visit) About(projectID string) { v.project = projectID }

// Anywhere says that the page is about things of several projects that people can change there.
func (v *Visit) Anywhere() { v.anywhere = true }

// May reports whether the person's role reaches; pages leave out what does not.
func (v *Visit) May(least account.Role) bool { return v.Role().AtLeast(least) }

// InOrganization reports whether the role in the organization itself reaches.
func (v *Visit) InOrganization(least account.Role) bool {
	return v.Membership != nil && v.Membership.Member.Role.AtLeast(least)
}

// checkRole refuses what the API would refuse anyway. A project of which the person may not know is answered like one
// that does not exist.
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

// serve finds out who asks, checks forms, and runs a route's handler.
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

// Field returns what a form has under a name, without spaces around it.
func (v *Visit) Field(name string) string { return strings.TrimSpace(v.Form.Get(name)) }

// Query returns what the address has under a name.
func (v *Visit) Query(name string) string { return v.R.URL.Query().Get(name) }

// Show answers with a page.
func (v *Visit) Show(status int, page string, f Frame, data any) error {
	v.fillFrame(&f)
	f.Live = f.Live && v.route.Live
	if v.R.Method == http.MethodPost {
		f.Live, f.Working = false, false // the address is the form's: there is no page behind it to follow
	}
	v.B.page(v.W, v.R, status, page, f, data)
	return nil
}

// Done redirects to a page, or a part of it, after a form was processed, which then confirms it; did is a key of Notices.
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

// fail answers with the page for an error. People who are not signed in are led to where they can.
func (v *Visit) fail(err error) {
	pageErr := NewPageError(err)
	if pageErr.Status == http.StatusUnauthorized {
		if pageErr.Code == signin.SessionEnded { // not when it only looks at another organization by now
			v.B.SignIn.ClearCookie(v.W, v.R)
		}
		if v.R.Method == http.MethodGet && !strings.HasPrefix(v.R.URL.Path, "/dashboard/live") {
			http.Redirect(v.W, v.R, "/dashboard/sign-in?next="+url.QueryEscape(v.R.URL.RequestURI()),
				http.StatusSeeOther)
			return
		}
	}
	if pageErr.Status >= http.StatusInternalServerError && v.Ctx().Err() == nil { // unless the person has gone
		v.B.Log.ErrorContext(v.Ctx(), "dashboard", "path", v.R.URL.Path, "error", err)
	}
	f := Frame{Title: pageErr.Message}
	if v.Membership != nil {
		v.fillFrame(&f)
	}
	v.B.page(v.W, v.R, pageErr.Status, "error", f, pageErr)
}
