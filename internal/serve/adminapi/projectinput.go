package adminapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// sourceInput is a source in a request. Responses have null for missing fields, so null is accepted too.
type sourceInput struct {
	Path       string `json:"path" nullable:"true"`
	Repository string `json:"repository" nullable:"true"`
	Branch     string `json:"branch" nullable:"true"`
	Credential string `json:"credential" nullable:"true"`
}

const (
	maxPath       = 4096 // bytes
	maxRepository = 2048
)

var credentialName = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// readProject parses the request body for a new project. installHook reports whether to install its webhook.
func (a *api) readProject(c *call) (p project.Project, installHook bool, err error) {
	var in struct {
		Name       string      `json:"name" required:"true"`
		Domain     string      `json:"domain" required:"true"`
		Source     sourceInput `json:"source" required:"true"`
		DocsFolder string      `json:"docsFolder"`
		Pulls      *string     `json:"pullRequestPreviews"`
		Install    bool        `json:"installWebhook"`
	}
	p.OrganizationID = c.org()
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return p, false, err
	}
	if p.Name, err = project.CleanName(in.Name); err != nil {
		return p, false, err
	}
	domain, err := a.cleanDomain(c, in.Domain, "domain")
	if err != nil {
		return p, false, err
	}
	p.Domains = []string{domain}
	if p.Source, err = a.cleanSource(c, in.Source); err != nil {
		return p, false, err
	}
	if p.DocsFolder, err = project.CleanFolder(in.DocsFolder); err != nil || in.Pulls == nil {
		return p, in.Install, err
	}
	p.PullPreviews, err = project.CleanPullPreviews(*in.Pulls)
	return p, in.Install, err
}

// projectChange is the request body for a change to a project; nil fields stay unchanged.
type projectChange struct {
	Name         *string      `json:"name"`
	Domains      *[]string    `json:"domains"`
	Source       *sourceInput `json:"source"`
	DocsFolder   *string      `json:"docsFolder"`
	Pulls        *string      `json:"pullRequestPreviews"`
	RotateSecret *bool        `json:"rotateWebhookSecret"`
}

func (c *call) readChange() (projectChange, error) {
	var in projectChange
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return in, err
	}
	if in == (projectChange{}) {
		return in, fault.New(fault.Invalid, "missing_field", "The body contains no changes.").
			WithHint("Set at least one of name, domains, source, docsFolder, pullRequestPreviews and rotateWebhookSecret.")
	}
	return in, nil
}

// apply applies the change to p.
func (a *api) apply(c *call, in projectChange, p *project.Project) (err error) {
	if in.Name != nil {
		if p.Name, err = project.CleanName(*in.Name); err != nil {
			return err
		}
	}
	if in.Domains != nil {
		if p.Domains, err = a.cleanDomains(c, *in.Domains); err != nil {
			return err
		}
	}
	if in.Source != nil {
		before := p.Source
		if p.Source, err = a.changeSource(c, *in.Source, *p); err != nil {
			return err
		}
		if p.Source != before && !c.mayChooseSource() {
			return sourceNeedsAdmin()
		}
	}
	if in.DocsFolder != nil {
		if p.DocsFolder, err = project.CleanFolder(*in.DocsFolder); err != nil {
			return err
		}
	}
	if in.Pulls != nil {
		if p.PullPreviews, err = project.CleanPullPreviews(*in.Pulls); err != nil {
			return err
		}
	}
	if in.rotates() {
		p.HookVersion++
	}
	return nil
}

// mayChooseSource reports whether the caller may change where a project's files come from. An admin of only that
// project may not: the organization's credentials and folders could give access to another project's files.
func (c *call) mayChooseSource() bool {
	return !c.principal.ByMember() || c.principal.Member.Role.AtLeast(account.RoleAdmin)
}

func sourceNeedsAdmin() error {
	return fault.New(fault.Forbidden, "role_required",
		"Only an admin or owner of the organization can change where a project's files come from.").
		WithField("source").WithHint("Leave source out, or ask an admin or owner of the organization.")
}

func (in projectChange) rotates() bool { return in.RotateSecret != nil && *in.RotateSecret }

func (a *api) cleanDomains(c *call, list []string) ([]string, error) {
	bad := func(sentence string) error {
		return fault.New(fault.Invalid, "invalid_field", sentence).WithField("domains")
	}
	if len(list) == 0 || len(list) > project.MaxDomains {
		return nil, bad("domains must have 1 to 20 entries.")
	}
	var out []string
	for _, s := range list {
		d, err := a.cleanDomain(c, s, "domains")
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, d) {
			return nil, bad("domains has " + d + " twice.")
		}
		out = append(out, d)
	}
	return out, nil
}

// cleanDomain validates a domain and checks that it is not one of the server's own.
func (a *api) cleanDomain(c *call, s, field string) (string, error) {
	d, err := project.CleanDomain(s)
	if f, ok := fault.As(err); ok {
		return "", f.WithField(field)
	}
	host := project.HostOf(d)
	below := a.PreviewDomain != "" && (host == a.PreviewDomain || strings.HasSuffix(host, "."+a.PreviewDomain))
	if below || host == a.serverHost(c) {
		return "", fault.Newf(fault.Invalid, "reserved_domain", "The domain %s belongs to this server itself.", d).
			WithField(field).WithHint("Choose another domain.")
	}
	return d, nil
}

// serverHost returns the host name of this server: as configured by the operator, or as used by the caller.
func (a *api) serverHost(c *call) string {
	if a.ownHost != "" {
		return a.ownHost
	}
	u, err := url.Parse(a.Proxies.BaseURL(c.r))
	if err != nil {
		return ""
	}
	return hostname.Clean(u.Hostname())
}

// cleanSource validates a source as far as possible without fetching it.
func (a *api) cleanSource(c *call, in sourceInput) (project.Source, error) {
	s, err := project.CleanSource(project.Source(in))
	if err != nil {
		return s, err
	}
	if err := a.checkLocal(c, s); err != nil {
		return s, err
	}
	switch {
	case len(s.Path) > maxPath:
		return s, fault.Newf(fault.Invalid, "invalid_field", "source.path may have at most %d bytes.", maxPath).
			WithField("source.path")
	case len(s.Repository) > maxRepository:
		return s, fault.Newf(fault.Invalid, "invalid_field", "source.repository may have at most %d bytes.",
			maxRepository).WithField("source.repository")
	case s.Credential != "" && !credentialName.MatchString(s.Credential):
		return s, fault.New(fault.Invalid, "invalid_field", "source.credential is not the name of a credential.").
			WithField("source.credential").
			WithHint("Use the name of a credential, never its value.")
	case s.Path != "":
		return s, nil
	}
	if err := a.ValidateRepository(s.Repository); err != nil {
		return s, err
	}
	if err := a.refuseOwn(c, s.Repository); err != nil {
		return s, err
	}
	return s, a.ValidateBranch(s.Branch)
}

// checkLocal rejects sources on the server's own disk, unless the operator allows that path for the organization. The
// path is checked again whenever the source is used.
func (a *api) checkLocal(c *call, s project.Source) error {
	at, local := s.Disk()
	if !local {
		return nil
	}
	err := fault.New(fault.Invalid, "local_source_off", "Sources on the server's disk are turned off.").
		WithHint(
			"Use an https or ssh repository. The operator can allow folders with the settings sources.local and sources.roots.")
	if a.LocalSource != nil {
		refused := a.LocalSource(c.ctx(), c.org(), at)
		f, known := fault.As(refused)
		if !known {
			return refused // nil = allowed
		}
		err = fault.New(fault.Invalid, f.Code, f.Public).WithHint(f.Hint)
	}
	if s.Repository != "" {
		return err.WithField("source.repository")
	}
	return err.WithField("source.path")
}
