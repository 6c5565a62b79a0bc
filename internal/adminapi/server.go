package adminapi

import (
	"encoding/json"
	"net/http"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/feature"
)

// statusWord is the answer of the two health checks.
type statusWord struct {
	Status string `json:"status"`
}

func (a *api) getDeployment(*call) (answer, error) {
	return answer{status: http.StatusOK, body: struct {
		feature.Deployment
		Version string `json:"version"`
	}{a.Deployment, a.Version}}, nil
}

func (a *api) getOpenAPI(*call) (answer, error) {
	return answer{status: http.StatusOK, body: json.RawMessage(a.Description)}, nil
}

// getHealth looks at nothing: a process that can answer is alive (D6).
func (a *api) getHealth(*call) (answer, error) {
	return answer{status: http.StatusOK, body: statusWord{"ok"}, untagged: true}, nil
}

// getReadiness says whether everything works, or with for=sites, whether at least sites are served.
func (a *api) getReadiness(c *call) (answer, error) {
	ask := a.Ready
	if c.r.URL.Query().Get("for") == "sites" && a.ServesSites != nil {
		ask = a.ServesSites
	}
	err := ask(c.ctx())
	if outage, ok := fault.Outage(err); ok && outage.Code != fault.CodeUnavailable {
		err = outage // it has words of its own
	}
	if err != nil && !fault.Is(err, fault.Unavailable) {
		err = fault.New(fault.Unavailable, "not_ready", "The server is not ready.").WithCause(err)
	}
	return answer{status: http.StatusOK, body: statusWord{"ready"}, untagged: true}, err
}
