package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/blocked"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// listBlocked returns the requests that the content policy blocked on a project's pages.
func (a *api) listBlocked(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.ListBlocked(c.ctx(), p.ID, a.Now().Add(-blocked.KeepFor))
	if err != nil {
		return response{}, err
	}
	out := client.BlockedList{Blocked: []client.BlockedSource{}}
	for _, e := range list {
		out.Blocked = append(out.Blocked, client.BlockedSource{Kind: client.BlockedKind(e.Kind), Source: e.Source, Page: e.Page,
			Reports: e.Reports, FirstSeenAt: stamp(e.FirstSeen), LastSeenAt: stamp(e.LastSeen), Allow: orNull(e.Allow())})
	}
	return response{status: http.StatusOK, body: out}, nil
}
