package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showOrganization(o account.Organization) client.Organization {
	return client.Organization{OrganizationID: o.ID, Name: o.Name, Plan: string(o.Plan), CreatedAt: stamp(o.CreatedAt)}
}

func (a *api) getOrganization(c *call) (response, error) {
	return response{status: http.StatusOK, body: showOrganization(c.principal.Organization)}, nil
}

func (a *api) renameOrganization(c *call) (response, error) {
	var in struct {
		Name string `json:"name" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	name, err := account.CleanName(in.Name)
	if err != nil {
		return response{}, err
	}
	var o account.Organization
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		if o, err = tx.FindOrganization(c.ctx(), c.org()); err != nil {
			return err
		}
		before := o.Name
		o.Name = name
		if err := tx.RenameOrganization(c.ctx(), o.ID, name); err != nil {
			return err
		}
		return tx.Record(c.ctx(),
			a.event(c, "organization.rename", o.ID, map[string]string{"before": before, "after": name}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showOrganization(o)}, nil
}
