package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/store"
)

func showCredential(c account.Credential) client.Credential {
	return client.Credential{CredentialID: c.ID, Name: c.Name, Kind: string(c.Kind), URL: c.BaseURL,
		CreatedAt: stamp(c.CreatedAt), CreatedBy: orNull(c.CreatedBy),
		UpdatedAt: stamp(c.UpdatedAt), LastUsedAt: stampOrNull(c.LastUsedAt)}
}

func (a *api) createCredential(c *call) (response, error) {
	var in struct {
		Name   string                 `json:"name" required:"true"`
		Kind   account.CredentialKind `json:"kind" required:"true"`
		URL    string                 `json:"url" required:"true"`
		User   string                 `json:"user"`
		AppID  string                 `json:"appId"`
		Secret string                 `json:"secret" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	value, err := credential.Parse(credential.Request(in))
	if err != nil {
		return response{}, err
	}
	row := account.Credential{OrganizationID: c.org(), Name: in.Name, Kind: in.Kind, BaseURL: value.BaseURL,
		CreatedBy: c.principal.Actor()}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		made := row
		if made, err = tx.CreateCredential(c.ctx(), made, func(credentialID string) string {
			made.ID = credentialID
			return credential.Seal(a.Masters[0], a.Rand, made, value)
		}); err != nil {
			return err
		}
		row = made
		return tx.Record(c.ctx(), a.event(c, "credential.create", row.ID, credentialData(row)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: showCredential(row), location: "/v1/credentials/" + row.ID}, nil
}

// credentialData returns the audit data of a credential, which does not include its secret.
func credentialData(c account.Credential) map[string]string {
	return map[string]string{"name": c.Name, "kind": string(c.Kind), "url": c.BaseURL}
}

func (a *api) listCredentials(c *call) (response, error) {
	list, err := a.Store.ListCredentials(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	body := client.CredentialList{Credentials: []client.Credential{}}
	for _, one := range list {
		body.Credentials = append(body.Credentials, showCredential(one))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// replaceCredential changes a credential. The request must always include the secret: if the address alone could be
// changed, the existing secret would be sent to a host that its owner did not choose.
func (a *api) replaceCredential(c *call) (response, error) {
	var in struct {
		URL    string `json:"url" required:"true"`
		User   string `json:"user"`
		AppID  string `json:"appId"`
		Secret string `json:"secret" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	var row account.Credential
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		if row, err = tx.FindCredential(c.ctx(), c.org(), c.pathID("credentialId", id.Credential)); err != nil {
			return err
		}
		value, err := credential.Parse(credential.Request{Name: row.Name, Kind: row.Kind, URL: in.URL, User: in.User,
			AppID: in.AppID, Secret: in.Secret})
		if err != nil {
			return err
		}
		row.BaseURL = value.BaseURL
		row.Sealed = credential.Seal(a.Masters[0], a.Rand, row, value)
		if row, err = tx.ReplaceCredential(c.ctx(), row); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "credential.replace", row.ID, credentialData(row)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showCredential(row)}, nil
}

func (a *api) deleteCredential(c *call) (response, error) {
	credentialID := c.pathID("credentialId", id.Credential)
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		row, err := tx.DeleteCredential(c.ctx(), c.org(), credentialID)
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "credential.delete", row.ID, credentialData(row)))
	})
	return response{status: http.StatusNoContent}, err
}
