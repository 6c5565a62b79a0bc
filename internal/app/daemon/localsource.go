package daemon

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/jobs/doctor"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/store"
)

// localSources returns the policy for sources on this server's disk, based on this process's settings and the
// organizations in the database.
func (c *core) localSources(st *store.Store) *localdir.Policy {
	anywhere, _ := c.Config.LocalAnywhere()
	return &localdir.Policy{
		Anywhere: anywhere, Roots: c.Config.LocalRoots(), Data: c.Config.Data,
		Private: []string{c.Config.Data, c.repositories().dir, c.Config.CacheFolder, c.Config.CredentialsDir},
		Alone: func(ctx context.Context) (bool, error) {
			n, err := st.CountOrganizations(ctx)
			return n == 1, err
		},
	}
}

// allowsLocal returns an error if an organization may not use a path on this server's disk as a source.
func (s *server) allowsLocal(ctx context.Context, organizationID, at string) error {
	_, err := s.source.Local.Allow(ctx, organizationID, at)
	return err
}

// lookAtSources reports where local sources are permitted, and which projects use one that is not.
func (c *clinic) lookAtSources(ctx context.Context) []doctor.Finding {
	if c.store == nil {
		return nil
	}
	if v, err := c.store.SchemaVersion(ctx); err != nil || v != store.NewestSchema() {
		return nil // reported by the check of the database
	}
	policy := c.localSources(c.store)
	found, err := c.sourceRules(ctx, policy)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err, "", "The organizations cannot be listed")}
	}
	projects, err := c.store.ListLocalProjects(ctx)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err, "", "The projects cannot be listed")}
	}
	for _, p := range projects {
		at, _ := p.Source.Disk()
		if _, err := policy.Allow(ctx, p.OrganizationID, at); err != nil {
			found = append(found, doctor.Finding{Level: doctor.Warn,
				Text: fmt.Sprintf(
					"The project %s (%s) has a source that its organization %s may not use: %s. The published site is still served, but not updated.", p.Name, p.ID, p.OrganizationID, at),
				Do: fmt.Sprintf("Allow the folder with sources.roots: %s=%s, or set another source in the project.",
					p.OrganizationID, at)})
		}
	}
	return found
}

// sourceRules reports which local sources the settings permit, and which roots cannot be used.
func (c *clinic) sourceRules(ctx context.Context, policy *localdir.Policy) ([]doctor.Finding, error) {
	organizations, err := c.store.ListOrganizations(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, o := range organizations {
		known[o.ID] = true
	}
	anywhere, why := c.Config.LocalAnywhere()
	first := "Local sources are allowed in any folder, until there is a second organization."
	switch {
	case anywhere && len(organizations) > 1:
		first = "Local sources are allowed only in sources.roots: the server has several organizations."
	case !anywhere && len(policy.Roots) == 0:
		first = "Local sources are off: " + why + "."
	case !anywhere:
		first = "Local sources are allowed only in sources.roots: " + why + "."
	}
	found := []doctor.Finding{{Level: doctor.OK, Text: first}}
	for _, r := range policy.Roots {
		switch err := policy.Check(r); {
		case err != nil:
			found = append(found, doctor.Finding{Level: doctor.Fail, Text: "sources.roots: " + err.Error() + ".",
				Do: "Correct the entry; until then it has no effect."})
		case !known[r.Organization]:
			found = append(found, doctor.Finding{Level: doctor.Warn, Text: "sources.roots: there is no organization " +
				r.Organization + ".", Do: "Run lectern org list to see the ids."})
		default:
			found = append(found, doctor.Finding{Level: doctor.OK,
				Text: "The organization " + r.Organization + " may have sources in " + r.Path + "."})
		}
	}
	return found, nil
}
