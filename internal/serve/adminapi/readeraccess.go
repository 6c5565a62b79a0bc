package adminapi

import (
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/store"
)

func showReaderAccess(a access.Settings, sessions int64) client.ReaderAccess {
	out := client.ReaderAccess{Mode: string(a.Mode), ReaderSessions: sessions}
	if !a.UpdatedAt.IsZero() {
		out.UpdatedAt = stampOrNull(&a.UpdatedAt)
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

// setReaderAccess changes who may read a project's site. The hash is made before the transaction, which must be short.
func (a *api) setReaderAccess(c *call) (response, error) {
	var in struct {
		Mode     string  `json:"mode" required:"true"`
		Password *string `json:"password"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	p, err := a.readersProject(c)
	if err != nil {
		return response{}, err
	}
	want := access.Settings{ProjectID: p.ID}
	if want.Mode, err = access.ParseMode(in.Mode); err != nil {
		return response{}, err
	}
	if want.PasswordHash, err = a.hashReaderPassword(want.Mode, in.Password); err != nil {
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

// hashReaderPassword checks the password that readers of a site share, and returns its hash; "" in other modes.
func (a *api) hashReaderPassword(mode access.Mode, password *string) (string, error) {
	switch {
	case mode != access.Password && password == nil:
		return "", nil
	case mode != access.Password:
		return "", fault.New(fault.Invalid, "invalid_field", "Only the mode password has a password.").
			WithField("password")
	case password == nil:
		return "", fault.New(fault.Invalid, "missing_field", "The mode password needs a password.").
			WithField("password")
	}
	if err := account.CheckPassword(*password, ""); err != nil {
		return "", err
	}
	return passhash.Cost{}.Hash(a.Rand, *password), nil
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
