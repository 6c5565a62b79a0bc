package publish

import (
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/integration"
)

// tools returns, in the manifest's form, the analytics tools to which the server can report. Forks get none.
func (r *run) tools(list []site.Integration) (out []deploy.Integration) {
	if r.untrusted {
		return nil
	}
	for _, i := range list {
		if s, ok := integration.Find(i.Service); ok && s.Key != "" {
			out = append(out, deploy.Integration{Tool: s.Name, Key: i.Values[s.Key], Host: i.Values[s.Host]})
		}
	}
	return out
}
