package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/leakreport"
	"github.com/lectern-docs/lectern/internal/store"
)

// leakActor is the actor recorded for changes made because of a report of leaked keys.
const leakActor = "secret-scanning"

// reportLeakedKeys revokes the reported keys (K8). A server without reporters' public keys responds as if the operation
// did not exist.
func (a *api) reportLeakedKeys(c *call) (response, error) {
	if len(a.LeakKeys) == 0 {
		return response{}, unknownRoute()
	}
	if err := a.LeakKeys.Verify(c.r.Header.Get(leakreport.KeyHeader), c.r.Header.Get(leakreport.SignatureHeader),
		c.body); err != nil {
		return response{}, err
	}
	reports, err := leakreport.Parse(c.body)
	if err != nil {
		return response{}, err
	}
	verdicts := make([]leakreport.Verdict, len(reports))
	for i, r := range reports {
		known, err := a.revokeLeaked(c, r)
		if err != nil {
			return response{}, err // keys revoked so far stay revoked; the reporter retries
		}
		verdicts[i] = r.Judge(known)
	}
	return response{status: http.StatusOK, body: verdicts}, nil
}

// revokeLeaked revokes a reported key together with the keys and links that it created: whoever found the key may
// have created them.
func (a *api) revokeLeaked(c *call, r leakreport.Report) (known bool, err error) {
	if !account.WellFormed(r.Token) {
		return false, nil
	}
	p, err := a.guard.Find(c.ctx(), r.Token)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	data := map[string]string{}
	for name, v := range map[string]string{"source": r.Source, "url": r.URL} {
		if v != "" {
			data[name] = v
		}
	}
	org := p.Organization.ID
	return true, a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := tx.HoldOrganization(c.ctx(), org); err != nil {
			return err
		}
		now, err := tx.FindKey(c.ctx(), org, p.Key.ID)
		if err != nil {
			return err
		}
		gone, err := tx.RevokeKey(c.ctx(), org, now.ID, true)
		if err != nil || now.RevokedAt != nil && len(gone.Children)+len(gone.Links) == 0 {
			return err // a repeated report changes nothing
		}
		for _, e := range revocation(event.New(org, leakActor, "key.leak", now.ID, c.requestID, a.Now(), data), gone) {
			if err := tx.Record(c.ctx(), e); err != nil {
				return err
			}
		}
		return nil
	})
}
