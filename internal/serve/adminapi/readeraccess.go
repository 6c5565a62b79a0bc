package adminapi

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/store"
)

func showReaderAccess(a access.Settings, sessions int64) client.ReaderAccess {
	out := client.ReaderAccess{Mode: string(a.Mode), ReaderSessions: sessions, Providers: []client.ReaderProvider{}}
	if !a.UpdatedAt.IsZero() {
		out.UpdatedAt = stampOrNull(&a.UpdatedAt)
	}
	for _, p := range a.Providers {
		out.Providers = append(out.Providers, client.ReaderProvider{Name: p.Name, Label: p.Label, Issuer: p.Issuer,
			ClientID: p.ClientID, Scopes: p.Scopes, GroupsClaim: p.GroupsClaim, Groups: p.Groups,
			EmailDomains: p.EmailDomains, GrantGroups: p.GrantGroups, SAML: showSAML(p.SAML)})
	}
	if a.Mode == access.JWT {
		out.JWT = &client.ReaderTokens{LoginURL: a.Handoff.LoginURL, Issuer: a.Handoff.Issuer,
			Keys: []client.ReaderTokenKey{}}
		for _, k := range a.Handoff.Keys {
			out.JWT.Keys = append(out.JWT.Keys, client.ReaderTokenKey{ID: k.ID, PEM: k.PEM})
		}
	}
	return out
}

func showSAML(s *access.SAMLSettings) (out client.ReaderSAML) {
	if s != nil {
		out = client.ReaderSAML(*s)
	}
	return out
}

func (a *api) readersProject(c *call) (project.Project, error) {
	return a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
}

func (a *api) getReaderAccess(c *call) (response, error) {
	p, err := a.readersProject(c)
	if err != nil {
		return response{}, err
	}
	found, err := a.Store.FindReaderAccess(c.ctx(), p.ID)
	if err != nil {
		return response{}, err
	}
	n, err := a.Store.CountReaderSessions(c.ctx(), p.ID)
	return response{status: http.StatusOK, body: showReaderAccess(found, n)}, err
}

// readersInput is a request to change reader access.
type readersInput struct {
	Mode      string            `json:"mode" required:"true"`
	Password  *string           `json:"password"`
	Providers *[]readerProvider `json:"providers"`
	JWT       *readerTokens     `json:"jwt"`
}

type readerProvider struct {
	Name         string   `json:"name" required:"true"`
	Label        string   `json:"label"`
	Issuer       string   `json:"issuer"`
	ClientID     string   `json:"clientId"`
	ClientSecret string   `json:"clientSecret"`
	KeepSecret   bool     `json:"keepClientSecret"`
	Scopes       []string `json:"scopes"`
	GroupsClaim  string   `json:"groupsClaim"`
	Groups       []string `json:"groups"`
	EmailDomains []string `json:"emailDomains"`
	GrantGroups  []string `json:"grantGroups"`

	SAML *readerSAML `json:"saml"`
}

type readerSAML struct {
	Metadata        string `json:"metadata"`
	MetadataURL     string `json:"metadataUrl"`
	EntityID        string `json:"entityId"`
	EmailAttribute  string `json:"emailAttribute"`
	NameAttribute   string `json:"nameAttribute"`
	GroupsAttribute string `json:"groupsAttribute"`
}

type readerTokens struct {
	LoginURL string           `json:"loginUrl" required:"true"`
	Issuer   string           `json:"issuer"`
	Keys     []readerTokenKey `json:"keys" required:"true"`
}

type readerTokenKey struct {
	ID  string `json:"id"`
	PEM string `json:"pem" required:"true"`
}

// settings validates the input and converts it to a project's settings, without the password hash. It rejects fields
// that belong to other modes, which would otherwise be ignored silently.
func (in readersInput) settings(projectID string, now func() time.Time) (out access.Settings, err error) {
	out.ProjectID = projectID
	if out.Mode, err = access.ParseMode(in.Mode); err != nil {
		return out, err
	}
	for field, c := range map[string]struct {
		given bool
		modes []access.Mode
	}{"password": {in.Password != nil, []access.Mode{access.Password}},
		"providers": {in.Providers != nil, []access.Mode{access.OIDC, access.SAML}},
		"jwt":       {in.JWT != nil, []access.Mode{access.JWT}}} {
		if c.given && !slices.Contains(c.modes, out.Mode) {
			return out, fault.Newf(fault.Invalid, "invalid_field", "The mode %s does not accept the field %s.", out.Mode, field).
				WithField(field)
		}
		if !c.given && slices.Contains(c.modes, out.Mode) {
			return out, fault.Newf(fault.Invalid, "missing_field", "The mode %s needs the field %s.", out.Mode, field).
				WithField(field)
		}
	}
	if in.Providers != nil {
		if out.Providers, err = cleanProviders(out.Mode, *in.Providers, now); err != nil {
			return out, err
		}
	}
	if in.JWT != nil {
		tokens := access.Handoff{LoginURL: in.JWT.LoginURL, Issuer: in.JWT.Issuer}
		for _, k := range in.JWT.Keys {
			tokens.Keys = append(tokens.Keys, access.PublicKey(k))
		}
		out.Handoff, err = access.CleanHandoff(tokens)
	}
	return out, err
}

func cleanProviders(mode access.Mode, list []readerProvider, now func() time.Time) ([]access.Provider, error) {
	var out []access.Provider
	for _, p := range list {
		if err := p.check(now); err != nil {
			return nil, fault.New(fault.Invalid, "invalid_field", fault.Public(err)).WithField("providers")
		}
		out = append(out, access.Provider{Name: p.Name, Label: p.Label, Issuer: p.Issuer, ClientID: p.ClientID,
			ClientSecret: p.ClientSecret, Scopes: p.Scopes, GroupsClaim: p.GroupsClaim, Groups: p.Groups,
			EmailDomains: p.EmailDomains, GrantGroups: p.GrantGroups, SAML: (*access.SAMLSettings)(p.SAML)})
	}
	return access.CleanProviders(mode, out)
}

// check rejects a provider with invalid settings, without contacting it.
func (p readerProvider) check(now func() time.Time) error {
	if p.SAML != nil {
		return saml.Options{Metadata: p.SAML.Metadata, MetadataURL: p.SAML.MetadataURL, Now: now}.Check()
	}
	return oidc.Options{Issuer: p.Issuer, ClientID: p.ClientID}.Check()
}

// ParseReaderAccess parses a site's reader settings in the API's format and hashes the password. It does not encrypt
// client secrets.
func ParseReaderAccess(body []byte, projectID string, rand io.Reader, now func() time.Time) (access.Settings, error) {
	var in readersInput
	if err := jsonbody.Decode(body, &in); err != nil {
		return access.Settings{}, err
	}
	return in.hashed(projectID, rand, now)
}

// hashed returns the settings including the password hash, if there is a password.
func (in readersInput) hashed(projectID string, rand io.Reader, now func() time.Time) (access.Settings, error) {
	out, err := in.settings(projectID, now)
	if err != nil || in.Password == nil {
		return out, err
	}
	if err := account.CheckPassword(*in.Password, ""); err != nil {
		return out, err
	}
	out.PasswordHash = passhash.Cost{}.Hash(rand, *in.Password)
	return out, nil
}

// setReaderAccess changes who may read a project's site. Hashing is slow, so it happens before the transaction.
func (a *api) setReaderAccess(c *call) (response, error) {
	var in readersInput
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	p, err := a.readersProject(c)
	if err != nil {
		return response{}, err
	}
	want, err := in.hashed(p.ID, a.Rand, a.Now)
	if err != nil {
		return response{}, err
	}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		before, err := tx.FindReaderAccess(c.ctx(), p.ID)
		if err != nil {
			return err
		}
		if in.Providers != nil {
			if err := a.keepSecrets(*in.Providers, before, want.Providers); err != nil {
				return err
			}
		}
		want.Sealed = access.SealSecrets(a.Masters[0], a.Rand, p.ID, want.Providers)
		if want, err = tx.SetReaderAccess(c.ctx(), want); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "project.readers", p.ID,
			map[string]string{"before": string(before.Mode), "after": string(want.Mode)}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showReaderAccess(want, 0)}, nil
}

// keepSecrets copies stored client secrets to the providers in the request that are to keep them. A secret is never
// used with another issuer, even if the provider's name matches.
func (a *api) keepSecrets(in []readerProvider, before access.Settings, to []access.Provider) error {
	if !slices.ContainsFunc(in, func(p readerProvider) bool { return p.KeepSecret }) {
		return nil // without this, unreadable stored secrets would make every change fail
	}
	if _, err := before.OpenSecrets(a.Masters); err != nil {
		return err
	}
	for i, p := range in {
		if !p.KeepSecret {
			continue
		}
		old := slices.IndexFunc(before.Providers, func(b access.Provider) bool {
			return b.Name == p.Name && b.Issuer == p.Issuer && b.ClientID == p.ClientID
		})
		if p.ClientSecret != "" || old < 0 {
			return fault.New(fault.Invalid, "invalid_field", "keepClientSecret requires a stored provider with the same "+
				"name, issuer and client id, and no clientSecret.").WithField("providers")
		}
		to[i].ClientSecret = before.Providers[old].ClientSecret
	}
	return nil
}

func (a *api) endReaderSessions(c *call) (response, error) {
	p, err := a.readersProject(c)
	if err != nil {
		return response{}, err
	}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		n, err := tx.EndReaderSessions(c.ctx(), p.ID)
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "project.readers_end", p.ID,
			map[string]string{"sessions": strconv.FormatInt(n, 10)}))
	})
	return response{status: http.StatusNoContent}, err
}
