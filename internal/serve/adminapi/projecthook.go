package adminapi

import (
	"context"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/store"
)

// hookTime is the timeout for calls to a code host that change a webhook as part of another operation.
const hookTime = 10 * time.Second

// hookURL returns the URL to which a code host sends a project's events.
func (a *api) hookURL(c *call, p project.Project) string { return a.baseURL(c) + "/v1/webhook/" + p.ID }

// putHook creates or changes a project's webhook at its code host.
func (a *api) putHook(ctx context.Context, c *call, p project.Project, onlyChange bool) (connect.Outcome, error) {
	if err := a.takeHostCall(c); err != nil {
		return "", err
	}
	place, err := a.Place(ctx, p)
	if err != nil {
		return "", err
	}
	return place.PutHook(ctx, connect.Hook{URL: a.hookURL(c, p),
		Secret: project.HookSecret(a.Masters[0], p.ID, p.HookVersion), OnlyChange: onlyChange})
}

func (a *api) installWebhook(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	outcome, err := a.putHook(c.ctx(), c, p, false)
	if err != nil {
		return response{}, err
	}
	if err := a.recordHook(c, p); err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK,
		body: client.InstalledWebhook{URL: a.hookURL(c, p), Created: outcome == connect.Created}}, nil
}

func (a *api) recordHook(c *call, p project.Project) error {
	return a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		return tx.Record(c.ctx(), a.event(c, "project.install_webhook", p.ID,
			map[string]string{"name": p.Name, "repository": p.Source.Repository}))
	})
}

// tryHook installs the webhook of a new project, or updates it after its secret was rotated. It returns the result, or
// nil if there is no webhook to change. The project is already stored, so a failure does not fail the call.
func (a *api) tryHook(c *call, p project.Project, rotated bool) *client.WebhookInstallation {
	ctx, cancel := context.WithTimeout(c.ctx(), hookTime)
	defer cancel()
	outcome, err := a.putHook(ctx, c, p, rotated)
	if err == nil && outcome != connect.Absent && !rotated {
		err = a.recordHook(c, p)
	}
	switch f, known := fault.As(err); {
	case err == nil && outcome == connect.Absent:
		return nil
	case err == nil && rotated:
		return &client.WebhookInstallation{Installed: true, Message: "The webhook at the code host has the new secret."}
	case err == nil:
		return &client.WebhookInstallation{Installed: true, Message: "The webhook is installed at the code host."}
	case known && f.Kind != fault.Internal:
		return &client.WebhookInstallation{Code: orNull(f.Code), Message: f.Public, Hint: orNull(f.Hint)}
	}
	a.Log.WarnContext(c.ctx(), "failed to install or update webhook", "requestId", c.requestID, "project", p.ID,
		"error", err)
	code := "forge_busy"
	return &client.WebhookInstallation{Code: &code, Message: "The code host did not respond in time."}
}

// removeHook deletes the webhook of a deleted project. If the code host refuses, the webhook stays and its events get
// a 404.
func (a *api) removeHook(c *call, p project.Project) {
	ctx, cancel := context.WithTimeout(c.ctx(), hookTime)
	defer cancel()
	place, err := a.Place(ctx, p)
	if err == nil {
		err = place.DeleteHook(ctx, a.hookURL(c, p))
	}
	if err != nil {
		a.Log.WarnContext(c.ctx(), "failed to delete webhook for a deleted project from its code host",
			"requestId", c.requestID, "project", p.ID, "error", err)
	}
}
