package mcp

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// note receives what a program did.
type note func(audience.Event)

// noteFor reports use of a site to the recorder: programs that come here read for somebody who asked. Sites that are no
// project's, such as a preview on the author's machine, are not counted, nor are programs that ask for it.
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
