package adminapi

import (
	"bytes"
	"maps"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/store"
)

// hostCallsAnHour is the number of code host calls per hour for an organization; each call sends requests to a host
// chosen by a member.
const hostCallsAnHour = 600

const maxSearch = 100 // bytes

// takeHostCall counts a call to a code host.
func (a *api) takeHostCall(c *call) error {
	limit := http.Header{} // the response headers describe the key's own limit unless this one is exceeded
	err := a.hostCalls.Take(c.ctx(), c.org(), limit)
	if err != nil {
		maps.Copy(c.w.Header(), limit)
	}
	return err
}

// openCredential decrypts the credential in the path, for calls to the API of its code host.
func (a *api) openCredential(c *call) (account.Credential, credential.Credential, error) {
	row, err := a.Store.FindCredential(c.ctx(), c.org(), c.pathID("credentialId", id.Credential))
	if err != nil {
		return row, credential.Credential{}, err
	}
	value, _, err := credential.Open(a.Masters, row)
	if err != nil {
		return row, value, err
	}
	if value.SSH() {
		return row, value, fault.New(fault.Invalid, "bad_credential",
			"An SSH key works only with git, so it cannot be tested or used to list repositories.").
			WithHint("Publish a project to test it, or store a token for the code host's https address.")
	}
	if err := a.takeHostCall(c); err != nil {
		return row, value, err
	}
	return row, value, a.Store.TouchCredential(c.ctx(), row, a.Now())
}

func forgeCredential(c credential.Credential) forge.Credential {
	return forge.Credential{User: c.User, Password: c.Password, App: c.App}
}

// covered returns a filter for the repositories that a credential may be used for.
func covered(c credential.Credential) func(connect.Repository) bool {
	return func(r connect.Repository) bool { return c.Covers(r.URL) }
}

// testCredential asks a credential's code host what the credential permits.
func (a *api) testCredential(c *call) (response, error) {
	var in struct {
		Repository string `json:"repository"`
	}
	if len(bytes.TrimSpace(c.body)) > 0 {
		if err := jsonbody.Decode(c.body, &in); err != nil {
			return response{}, err
		}
	}
	if len(in.Repository) > maxRepository {
		return response{}, fault.Newf(fault.Invalid, "invalid_field", "repository may have at most %d bytes.",
			maxRepository).WithField("repository")
	}
	row, value, err := a.openCredential(c)
	if err != nil {
		return response{}, err
	}
	if in.Repository != "" && !value.Covers(in.Repository) {
		return response{}, credential.NotFor(value.Name)
	}
	report, err := a.Hosts.Test(c.ctx(), forgeCredential(value),
		forge.Target{Base: value.BaseURL, Repository: in.Repository, Keep: covered(value)})
	if err != nil {
		return response{}, err
	}
	data := credentialData(row)
	data["result"] = "passed"
	if !report.OK() {
		data["result"] = "failed"
	}
	if err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "credential.test", row.ID, data))
	}); err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showReport(report)}, nil
}

func showReport(r forge.Report) client.CredentialTest {
	out := client.CredentialTest{Ok: r.OK(), Host: orNull(r.Host), Account: orNull(r.Account),
		ExpiresAt: stampOrNull(r.Expires), Checks: []client.CredentialCheck{}}
	for _, one := range r.Checks {
		out.Checks = append(out.Checks, client.CredentialCheck{Name: one.Name, Result: string(one.Result),
			Code: orNull(one.Code), Message: one.Message, Hint: orNull(one.Hint)})
	}
	return out
}

// listRepositories lists the repositories that a credential can read on its code host.
func (a *api) listRepositories(c *call) (response, error) {
	page, err := c.page()
	if err != nil {
		return response{}, err
	}
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	if len(q.Get("search")) > maxSearch {
		return response{}, fault.Newf(fault.Invalid, "invalid_field", "search may have at most %d bytes.", maxSearch).
			WithField("search")
	}
	_, value, err := a.openCredential(c)
	if err != nil {
		return response{}, err
	}
	account, err := a.Hosts.Account(value.BaseURL, forgeCredential(value))
	if err != nil {
		return response{}, err
	}
	found, err := account.List(c.ctx(), connect.Query{Search: q.Get("search"), Cursor: page.Cursor, Limit: page.Limit,
		Keep: covered(value)})
	if err != nil {
		return response{}, err
	}
	body := client.RepositoryList{Repositories: []client.Repository{}, NextCursor: orNull(found.Next)}
	for _, r := range found.Repositories {
		body.Repositories = append(body.Repositories, client.Repository{Name: r.Name, URL: r.URL, Branch: orNull(r.Branch),
			Private: r.Private})
	}
	return response{status: http.StatusOK, body: body}, nil
}
