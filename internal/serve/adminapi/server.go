package adminapi

import (
	"encoding/json"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func (a *api) getDeployment(*call) (response, error) {
	f := a.Deployment.Features
	return response{status: http.StatusOK, body: client.Deployment{Type: string(a.Deployment.Type), Version: a.Version,
		Features: client.DeploymentFeatures{Search: showFeature(f.Search), Assistant: showFeature(f.Assistant),
			Analytics: showFeature(f.Analytics), Playground: showFeature(f.Playground),
			StaticExport: showFeature(f.StaticExport)}}}, nil
}

func showFeature(f feature.Feature) client.Feature {
	return client.Feature{State: string(f.State), Enabled: f.Enabled, Reason: f.Reason}
}

func (a *api) getOpenAPI(*call) (response, error) {
	text, err := a.Description()
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: json.RawMessage(text)}, nil
}

// getHealth checks nothing: a process that can respond is alive (D6).
func (a *api) getHealth(*call) (response, error) {
	return response{status: http.StatusOK, body: client.Health{Status: "ok"}, untagged: true}, nil
}

// getReadiness reports whether the server is fully operational or, with for=sites, whether at least sites are served.
func (a *api) getReadiness(c *call) (response, error) {
	ask := a.Ready
	if c.r.URL.Query().Get("for") == "sites" && a.ServesSites != nil {
		ask = a.ServesSites
	}
	err := ask(c.ctx())
	if outage, ok := fault.Outage(err); ok && outage.Code != fault.CodeUnavailable {
		err = outage // it has its own message
	}
	if err != nil && !fault.Is(err, fault.Unavailable) {
		err = fault.New(fault.Unavailable, "not_ready", "The server is not ready.").WithCause(err)
	}
	return response{status: http.StatusOK, body: client.Health{Status: "ready"}, untagged: true}, err
}
