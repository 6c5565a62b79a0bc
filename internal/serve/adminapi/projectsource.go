package adminapi

import (
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// repositoryURL turns the stored address of a project's repository into one that callers can open: the stored address
// itself, a URL on the embedded code host or, if the organization may have sources on this server's disk, a file URL.
// It queries the database, so do not call it within a transaction.
func (a *api) repositoryURL(c *call, projectID, stored string) string {
	at, local := project.Source{Repository: stored}.Disk()
	if stored == project.BuiltIn || stored == project.Own ||
		local && (a.LocalSource == nil || a.LocalSource(c.ctx(), c.org(), at) != nil) {
		return a.gitURL(c, projectID)
	}
	return stored
}

// gitURL returns the URL of a project's repository on the embedded code host.
func (a *api) gitURL(c *call, projectID string) string {
	return a.baseURL(c) + project.GitPath(c.org(), projectID)
}

// withSource sets the source in a project's response. A folder is a path; everything else is a URL.
func (a *api) withSource(c *call, out client.Project, p project.Project) client.Project {
	s := p.Source
	out.SourceKind = client.ProjectSourceKind(s.Kind())
	out.Source = client.Source{Path: orNull(s.Path), Branch: orNull(s.Branch), Credential: orNull(s.Credential)}
	if s.Path == "" {
		address := a.repositoryURL(c, p.ID, s.URL())
		out.Source.Repository = &address
	}
	return out
}

// changeSource returns the source after a change. If the caller sent back the source unchanged, the stored one is
// returned.
func (a *api) changeSource(c *call, in sourceInput, p project.Project) (project.Source, error) {
	stored := p.Source
	back := stored.Path == "" &&
		(in.Repository == stored.URL() || stored.Embedded() && in.Repository == a.gitURL(c, p.ID))
	if back {
		in.Repository = stored.Repository
	}
	if project.Source(in) == stored {
		return stored, nil
	}
	if back && !stored.Local() && stored.Embedded() {
		return stored, fault.New(fault.Invalid, "invalid_field",
			"The branch and credential of a repository hosted by this server cannot be changed.").
			WithField("source").WithHint("Send the source unchanged, or set another repository.")
	}
	return a.cleanSource(c, in)
}

// refuseOwn rejects repositories of the embedded code host as sources, with the same response whether or not they
// exist. Another code host that a proxy serves at the same path is not affected, because its repositories have
// different names.
func (a *api) refuseOwn(c *call, repository string) error {
	base, err := url.Parse(a.baseURL(c))
	if err != nil {
		return nil
	}
	u, err := url.Parse(repository)
	if err != nil || !strings.EqualFold(u.Hostname(), base.Hostname()) || port(u) != port(base) ||
		!strings.HasPrefix(u.Path, base.Path+project.GitFolder+id.Organization) {
		return nil
	}
	return fault.New(fault.Invalid, "unknown_repository", "Repository not found.").WithField("source.repository").
		WithHint(
			"A project can only use the repository that this server hosts for it. Use a repository on a code host.")
}

// port returns the port of a URL, including one implied by the scheme.
func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "http"):
		return "80"
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return ""
}
