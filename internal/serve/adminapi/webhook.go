package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
)

func (a *api) receivePush(c *call) (response, error) {
	res, err := a.hooks.Receive(c.ctx(), webhook.Call{ProjectID: c.pathID("projectId", id.Project),
		RequestID: c.requestID, Header: c.r.Header, Body: c.body})
	if err != nil {
		return response{}, err
	}
	status := http.StatusOK
	if res.StatusID != "" {
		status = http.StatusAccepted
	}
	return response{status: status, body: client.WebhookAnswer{Accepted: res.StatusID != "" || res.Preview ||
		res.Product || res.Asked || res.JobID != "", StatusID: orNull(res.StatusID), Reason: orNull(res.Reason)}}, nil
}
