package mcp

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// note records an action by a program.
type note func(audience.Event)

// noteFor returns a function that records what a program does on a site, as the work of an agent for a person. It
// records nothing for sites without a project, such as a preview on the author's machine, or for programs that opted
// out.
func (d *Handler) noteFor(r *http.Request, site string) note {
	if d.record == nil || !id.Has(id.Project, site) || audience.Silent(r.Header.Get("DNT"), r.Header.Get("Sec-GPC")) {
		return func(audience.Event) {}
	}
	return func(e audience.Event) {
		if e.Kind == audience.Search && e.Query == "" || e.Kind == audience.View && e.Path == "" {
			return
		}
		e.ProjectID, e.At, e.Class = site, d.now(), audience.Agent
		d.record.Record(e)
	}
}
