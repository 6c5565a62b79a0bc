package entry

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
)

// handOff sends a user who came from a protected site back there, with a code that proves their identity. They must
// be a member of the site's organization, which may differ from their current one in the dashboard.
func handOff(b *shell.Board, v *shell.Visit) error {
	if b.Readers == nil {
		return fault.New(fault.NotFound, "unknown_site", "This server has no protected sites.")
	}
	who := siteaccess.Member{PersonID: v.Person.ID, SessionID: v.Session.ID}
	for _, m := range v.Memberships {
		who.Members = append(who.Members, m.Member)
	}
	address, err := b.Readers.HandOff(v.Ctx(), who, v.Query("project"), v.Query("host"), v.Query("state"))
	if err != nil {
		return err
	}
	// Not a redirect: a user who just signed in comes from a form, and the page's content policy forbids forms that
	// lead to another origin, even after redirects.
	v.W.Header().Set("Refresh", "0;url="+address)
	return v.Show(http.StatusOK, "reader", shell.Frame{Title: "Continue to the site"},
		struct{ Host, Address string }{v.Query("host"), address})
}
