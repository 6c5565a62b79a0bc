package adminapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func (a *api) showEndpoint(e endpoint.Endpoint) client.WebhookEndpoint {
	out := client.WebhookEndpoint{EndpointID: e.ID, Format: string(e.Format), URL: e.URL, Recipients: orEmpty(e.Recipients),
		Description: e.Description, Events: orEmpty(e.Events),
		ProjectID: orNull(e.ProjectID), Enabled: e.Enabled, OffReason: orNull(string(e.OffReason)),
		FailingSince: stampOrNull(e.FailingSince), CreatedAt: stamp(e.CreatedAt), CreatedBy: orNull(e.CreatedBy),
		UpdatedAt: stamp(e.UpdatedAt)}
	if e.BeforeUntil != nil && a.Now().Before(*e.BeforeUntil) {
		out.PreviousSecretUntil = stampOrNull(e.BeforeUntil)
	}
	return out
}

// showNewEndpoint converts an endpoint to the API's form, including its secret.
func (a *api) showNewEndpoint(e endpoint.Endpoint, secret string) client.NewWebhookEndpoint {
	s := a.showEndpoint(e)
	return client.NewWebhookEndpoint{EndpointID: s.EndpointID, Format: s.Format, URL: s.URL, Recipients: s.Recipients,
		Description: s.Description, Events: s.Events,
		ProjectID: s.ProjectID, Enabled: s.Enabled, OffReason: s.OffReason, FailingSince: s.FailingSince,
		PreviousSecretUntil: s.PreviousSecretUntil, CreatedAt: s.CreatedAt, CreatedBy: s.CreatedBy, UpdatedAt: s.UpdatedAt,
		Secret: secret}
}

// endpointData returns the audit data of an endpoint. It contains only the host, because the rest of a URL is often
// secret.
func endpointData(e endpoint.Endpoint) map[string]string {
	out := map[string]string{"format": string(e.Format), "events": strings.Join(e.Events, " ")}
	if e.Format == endpoint.Mail {
		out["recipients"] = strings.Join(e.Recipients, " ")
	} else {
		out["host"] = e.Name()
	}
	if e.ProjectID != "" {
		out["project"] = e.ProjectID
	}
	return out
}

// checkEndpoint validates an endpoint. before is its previous state, or nil if it is new.
func (a *api) checkEndpoint(c *call, tx *store.Tx, e endpoint.Endpoint, before *endpoint.Endpoint) error {
	if err := e.Validate(a.TrustsHost); err != nil {
		return err
	}
	if err := a.checkRecipients(c, tx, e, before); err != nil || e.ProjectID == "" {
		return err
	}
	if !id.Has(id.Project, e.ProjectID) {
		e.ProjectID = id.Project
	}
	_, err := tx.FindProject(c.ctx(), c.org(), e.ProjectID)
	if f, ok := fault.As(err); ok {
		return f.WithField("projectId")
	}
	return err
}

// checkRecipients rejects new addresses that do not belong to members, because nobody else has agreed to receive emails
// from this server. Addresses that the endpoint already has are accepted even if they belong to former members, so that
// they do not block other changes; former members are sent nothing.
func (a *api) checkRecipients(c *call, tx *store.Tx, e endpoint.Endpoint, before *endpoint.Endpoint) error {
	if e.Format == endpoint.Mail && !a.Mail && (before == nil || e.Enabled && !before.Enabled) {
		return fault.New(fault.Invalid, "invalid_field", "This server sends no mail.").WithField("format").
			WithHint("The operator can turn mail on with mail.host.")
	}
	for _, address := range e.Recipients {
		if before != nil && slices.Contains(before.Recipients, address) {
			continue
		}
		_, err := tx.FindMemberByEmail(c.ctx(), c.org(), address)
		if fault.Is(err, fault.NotFound) {
			return fault.Newf(fault.Invalid, "invalid_field", "%s is not the address of a member.", address).
				WithField("recipients").WithHint("Invite the person first.")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *api) createEndpoint(c *call) (response, error) {
	var in struct {
		Format      *string  `json:"format"`
		URL         string   `json:"url"`
		Recipients  []string `json:"recipients"`
		Description string   `json:"description"`
		Events      []string `json:"events"`
		ProjectID   string   `json:"projectId"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	recipients, err := endpoint.CleanRecipients(in.Recipients)
	if err != nil {
		return response{}, err
	}
	format := endpoint.Standard
	if in.Format != nil {
		format = endpoint.Format(*in.Format)
	}
	secret := endpoint.NewSecret(a.Rand)
	var made endpoint.Endpoint
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		made = endpoint.Endpoint{OrganizationID: c.org(), Format: format,
			URL: in.URL, Recipients: recipients, Description: in.Description, Events: in.Events,
			ProjectID: in.ProjectID, Enabled: true, CreatedBy: c.principal.Actor()}
		if err := a.checkEndpoint(c, tx, made, nil); err != nil {
			return err
		}
		made, err = tx.CreateEndpoint(c.ctx(), made, func(endpointID string) string {
			return endpoint.SealSecret(a.Masters[0], a.Rand, endpointID, secret)
		})
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "webhook.create", made.ID, endpointData(made)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: a.showNewEndpoint(made, secret),
		location: "/v1/webhook-endpoints/" + made.ID}, nil
}

func (a *api) listEndpoints(c *call) (response, error) {
	list, err := a.Store.ListEndpoints(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	body := client.WebhookEndpointList{Endpoints: []client.WebhookEndpoint{}}
	for _, one := range list {
		body.Endpoints = append(body.Endpoints, a.showEndpoint(one))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getEndpoint(c *call) (response, error) {
	e, err := a.Store.FindEndpoint(c.ctx(), c.org(), c.pathID("endpointId", id.Endpoint))
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.showEndpoint(e)}, nil
}

// changeEndpoint calls change with the endpoint in the path, in one transaction. The endpoint must belong to the
// caller's organization.
func (a *api) changeEndpoint(c *call, change func(*store.Tx, endpoint.Endpoint) error) error {
	return a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		e, err := tx.FindEndpoint(c.ctx(), c.org(), c.pathID("endpointId", id.Endpoint))
		if err != nil {
			return err
		}
		return change(tx, e)
	})
}

func (a *api) updateEndpoint(c *call) (response, error) {
	var in struct {
		URL         *string   `json:"url"`
		Recipients  *[]string `json:"recipients"`
		Description *string   `json:"description"`
		Events      *[]string `json:"events"`
		ProjectID   *string   `json:"projectId"`
		Enabled     *bool     `json:"enabled"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	if in.URL == nil && in.Recipients == nil && in.Description == nil && in.Events == nil && in.ProjectID == nil &&
		in.Enabled == nil {
		return response{}, fault.New(fault.Invalid, "missing_field", "The body contains no changes.").
			WithHint("Set at least one of url, recipients, description, events, projectId and enabled.")
	}
	var changed endpoint.Endpoint
	err := a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) (err error) {
		before := e
		set(&e.URL, in.URL)
		if in.Recipients != nil {
			if e.Recipients, err = endpoint.CleanRecipients(*in.Recipients); err != nil {
				return err
			}
		}
		set(&e.Description, in.Description)
		set(&e.Events, in.Events)
		set(&e.ProjectID, in.ProjectID)
		set(&e.Enabled, in.Enabled)
		if err := a.checkEndpoint(c, tx, e, &before); err != nil {
			return err
		}
		if changed, err = tx.UpdateEndpoint(c.ctx(), e); err != nil {
			return err
		}
		data := endpointData(changed)
		data["state"] = map[bool]string{true: "on", false: "off"}[changed.Enabled]
		return tx.Record(c.ctx(), a.event(c, "webhook.update", e.ID, data))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.showEndpoint(changed)}, nil
}

// set replaces a value if the caller provided one.
func set[T any](into *T, given *T) {
	if given != nil {
		*into = *given
	}
}

func (a *api) deleteEndpoint(c *call) (response, error) {
	err := a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) error {
		if _, err := tx.DeleteEndpoint(c.ctx(), c.org(), e.ID); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "webhook.delete", e.ID, endpointData(e)))
	})
	return response{status: http.StatusNoContent}, err
}

func (a *api) rotateEndpoint(c *call) (response, error) {
	secret := endpoint.NewSecret(a.Rand)
	var changed endpoint.Endpoint
	err := a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) (err error) {
		changed, err = tx.RotateEndpoint(c.ctx(), e, endpoint.SealSecret(a.Masters[0], a.Rand, e.ID, secret),
			a.Now().Add(endpoint.SecretOverlap))
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "webhook.rotate", e.ID, endpointData(e)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.showNewEndpoint(changed, secret)}, nil
}
