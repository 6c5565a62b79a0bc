package daemon

import (
	"context"
	"io"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// masters returns the secret keys, current one first.
func (s Secrets) masters() [][]byte { return append([][]byte{s.Current}, s.Previous...) }

// credential returns the git credential for a project's repository. A credential for another repository is an error.
func (c *core) credential(ctx context.Context, p project.Project) (*git.Credential, error) {
	found, err := c.findCredential(ctx, p.OrganizationID, p.Source.Credential)
	if err != nil {
		return nil, err
	}
	if !found.Covers(p.Source.Repository) {
		return nil, credential.NotFor(found.Name)
	}
	if found.App != nil {
		return c.appCredential(ctx, *found.App, p.Source.Repository, forge.Use{Lasts: fetchLife})
	}
	return &git.Credential{User: found.User, Password: found.Password, SSHKeyFile: found.SSHKeyFile,
		SSHKey: found.SSHKey}, nil
}

// findCredential returns an organization's credential, or one of the server's own that it may use. A credential that
// it may not use is reported as not found.
func (c *core) findCredential(ctx context.Context, organizationID, name string) (credential.Credential, error) {
	row, err := c.Store.FindCredentialByName(ctx, organizationID, name)
	if fault.Is(err, fault.NotFound) {
		return c.sharedCredential(ctx, organizationID, name)
	}
	if err != nil {
		return credential.Credential{}, err
	}
	found, _, err := credential.Open(c.Secrets.masters(), row)
	if err != nil {
		return found, err
	}
	return found, c.Store.TouchCredential(ctx, row, c.Now())
}

func (c *core) sharedCredential(ctx context.Context, organizationID, name string) (credential.Credential, error) {
	if shares, err := c.shares(ctx, c.Store, organizationID, name); err != nil || !shares {
		if err == nil {
			err = credential.Unknown(name)
		}
		return credential.Credential{}, err
	}
	return c.Config.Credentials(c.Env).Find(name)
}

// shares reports whether an organization may use one of the server's own credentials: always if it is the only
// organization, otherwise if it is listed.
func (c *core) shares(ctx context.Context, st *store.Store, organizationID, name string) (bool, error) {
	if c.Config.Shares(name, organizationID) {
		return true, nil
	}
	n, err := st.CountOrganizations(ctx)
	return n == 1, err
}

// credentialValues returns the secrets of an organization's credentials. Credentials that cannot be decrypted are
// skipped, since they cannot be used either.
func (c *core) credentialValues(ctx context.Context, organizationID string) (values []string, err error) {
	rows, err := c.Store.ListCredentials(ctx, organizationID)
	for _, row := range rows {
		if found, _, err := credential.Open(c.Secrets.masters(), row); err == nil {
			values = append(values, found.Values()...)
		}
	}
	return values, err
}

// resealCredentials re-encrypts credentials that were encrypted with an earlier secret key, so that the earlier key
// can be retired.
func (l *Ledger) resealCredentials(ctx context.Context, rand io.Reader) error {
	if len(l.Secrets.Previous) == 0 {
		return nil
	}
	return l.Store.Tx(ctx, func(t *store.Tx) error {
		rows, err := t.ListCredentials(ctx, "")
		if err != nil {
			return err
		}
		for _, row := range rows {
			found, stale, err := credential.Open(l.Secrets.masters(), row)
			if err != nil || !stale {
				continue // if it cannot be decrypted, its use will report the reason
			}
			if err := t.ResealCredential(ctx, row, credential.Seal(l.Secrets.Current, rand, row, found)); err != nil {
				return err
			}
		}
		if err := l.resealEndpoints(ctx, t, rand); err != nil {
			return err
		}
		return l.resealReaderAccess(ctx, t, rand)
	})
}

// resealReaderAccess re-encrypts the secrets of private sites in the same way.
func (l *Ledger) resealReaderAccess(ctx context.Context, t *store.Tx, rand io.Reader) error {
	rows, err := t.ListSealedReaderAccess(ctx)
	for _, row := range rows {
		if stale, failed := row.OpenSecrets(l.Secrets.masters()); failed != nil || !stale {
			continue
		}
		sealed := access.SealSecrets(l.Secrets.Current, rand, row.ProjectID, row.Providers)
		if err = t.ResealReaderAccess(ctx, row, sealed); err != nil {
			break
		}
	}
	return err
}

// resealEndpoints re-encrypts the secrets of webhook endpoints in the same way.
func (l *Ledger) resealEndpoints(ctx context.Context, t *store.Tx, rand io.Reader) error {
	rows, err := t.ListEndpoints(ctx, "")
	for _, row := range rows {
		reseal := func(sealed string) (string, bool) {
			secret, stale, err := endpoint.OpenSecret(l.Secrets.masters(), row.ID, sealed)
			if err != nil || !stale {
				return sealed, false // if it cannot be decrypted, its use will report the reason
			}
			return endpoint.SealSecret(l.Secrets.Current, rand, row.ID, secret), true
		}
		newest, stale := reseal(row.Sealed)
		before, alsoStale := reseal(row.SealedBefore)
		if !stale && !alsoStale {
			continue
		}
		if err = t.ResealEndpoint(ctx, row, newest, before); err != nil {
			break
		}
	}
	return err
}

// lookAtCredentials reports server credentials named by projects whose organizations may not use them.
func (c *clinic) lookAtCredentials(ctx context.Context) []doctor.Finding {
	names := c.Config.Credentials(c.Env).Names()
	if c.store == nil || len(names) == 0 {
		return nil
	}
	found := []doctor.Finding{}
	for _, name := range names {
		projects, err := c.store.ListProjectsByCredential(ctx, name)
		if err != nil {
			return []doctor.Finding{doctor.FromError(err, "", "The projects cannot be listed")}
		}
		for _, p := range projects {
			_, err := c.store.FindCredentialByName(ctx, p.OrganizationID, name)
			if shared, failed := c.shares(ctx, c.store, p.OrganizationID, name); err == nil || failed != nil || shared {
				continue
			}
			found = append(found, doctor.Finding{Level: doctor.Warn,
				Text: "The project " + p.Name + " (" + p.ID + ") names the server's credential " + name +
					", which its organization " + p.OrganizationID + " may not use.",
				Do: "Allow it with credentials.shared: " + name + "=" + p.OrganizationID +
					", or create one for the organization with lectern credentials create."})
		}
	}
	if len(found) == 0 {
		found = append(found, doctor.Finding{Level: doctor.OK,
			Text: "Every project that refers to one of the server's credentials may use it."})
	}
	return found
}
