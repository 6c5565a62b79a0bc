package daemon

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
)

// agents contains what agent jobs need in addition to other jobs.
type agents struct {
	home    *local.Home // the embedded code host
	merger  *merge.Merger
	servers forge.Servers
	tokens  *forge.Tokens
	engines *Engines
}

// ownRepositories returns the default folder of the embedded code host's repositories, used unless a folder was set
// for all processes.
func ownRepositories(data string) string { return filepath.Join(data, "proposals") }

func (c *core) openAgents(ctx context.Context, guard *outbound.Guard) (err error) {
	a := &agents{engines: NewEngines(c.Config, c.Env, c.SelfExe, llm.Retry{Random: c.jitter, Now: c.Now}),
		tokens: forge.NewTokens(guard.Client(outbound.Limits{}), c.Now)}
	if a.servers, err = forge.ParseServers(c.Config.ForgeHosts); err != nil {
		return err
	}
	a.home = &local.Home{Git: c.source.Git, Dir: c.repositories().dir, Ready: c.repositories().check, Source: c.source,
		Scratch: c.scratch.Folder, Proposals: merge.Ledger{Store: c.Store, Now: c.Now},
		Link: func(projectID, proposalID string) string { return c.baseURL() + proposal.Page(projectID, proposalID) },
		Now:  c.Now}
	a.merger = &merge.Merger{Store: c.Store, Home: a.home, Local: c.source.Local, Private: c.Config.Data, Now: c.Now,
		Rules: c.agentRules(), Secrets: c.secretValues, Log: c.Logger}
	c.agents, c.guard = a, guard
	c.pruneRepositories(ctx)
	return nil
}

// pruneRepositories removes the repositories of deleted projects from this disk. Each process does this at its start.
func (c *core) pruneRepositories(ctx context.Context) {
	if ours, err := c.repositories().ours(ctx); err != nil || !ours {
		return // unknown whether the folder's content belongs to this database
	}
	n, err := c.agents.home.Prune(ctx, func(ctx context.Context, projectID string) (bool, error) {
		_, err := c.Store.FindProjectByID(ctx, projectID)
		if fault.Is(err, fault.NotFound) {
			return true, nil
		}
		return false, err
	})
	if err != nil {
		c.Logger.Warn("failed to remove repositories of deleted projects", "error", err) // they only use disk space
	} else if n > 0 {
		c.Logger.Info("removed repositories of deleted projects", "repositories", n)
	}
}

func (c *core) runner() *agent.Runner {
	return &agent.Runner{
		Store: c.Store, Git: c.source.Git, Scratch: c.scratch, Places: c.place, Engines: c.agents.engines.Find,
		Build: c.buildFor, Preview: c.startPreview,
		Secrets: c.secretValues, Limits: c.agentLimits(), Labels: c.Config.AgentLabels,
		Reviewers: c.Config.AgentReviewers,
		Rules:     c.agentRules(),
		Products:  c.productsOf, Shell: c.shell(), Samples: c.agentSamples(), Lease: c.Config.JobLease, Now: c.Now, Log: c.Logger,
	}
}

func (c *core) agentRules() guard.Rules {
	return guard.Rules{Allow: c.Config.AgentAllowFiles, RefuseNewHosts: c.Config.AgentNewHosts == "refuse"}
}

// productsOf returns a project's product repositories. A repository whose address is no longer valid fails when it is
// read.
func (c *core) productsOf(ctx context.Context, p project.Project) ([]agent.Product, error) {
	list, err := c.Store.ListProducts(ctx, p.OrganizationID, p.ID)
	var out []agent.Product
	for _, one := range list {
		remote, err := c.source.Remote(ctx, one.AsProject(), "")
		if err != nil {
			c.Logger.WarnContext(ctx, "failed to open product repository", "project", p.ID, "repository", one.ID, "error", err)
			continue
		}
		out = append(out, agent.Product{Name: one.Name, Remote: remote})
	}
	return out, err
}

// neverAsked is the polling interval of product repositories if polling is off and only their webhooks report changes.
const neverAsked = 10 * 365 * 24 * time.Hour

// watcher returns the watcher that runs automations after changes in product repositories.
func (c *core) watcher() *automate.Watcher {
	every := c.Config.GitPollInterval
	if every <= 0 {
		every = neverAsked
	}
	return &automate.Watcher{Starter: c.automations(), Git: c.source.Git, Every: every,
		Remote: func(ctx context.Context, p project.Product) (git.Remote, error) {
			return c.source.Remote(ctx, p.AsProject(), "")
		},
		Releases: func(ctx context.Context, p project.Product) (pull.Releases, error) {
			return c.releases(ctx, p.AsProject())
		}}
}

// releases returns the releases of a repository at its code host. Without a credential, it works only for public
// repositories.
func (c *core) releases(ctx context.Context, p project.Project) (pull.Releases, error) {
	if p.Source.Embedded() || p.Source.Repository == "" || p.Source.Local() {
		return nil, forge.NoCodeHost()
	}
	proof, err := c.forgeCredential(ctx, p)
	if fault.HasCode(err, "missing_credential") {
		proof, err = forge.Credential{}, nil
	}
	if err != nil {
		return nil, err
	}
	return forge.OpenReleases(c.forgeOptions(p, proof))
}

// descriptions returns the watcher that runs automations after changes to the API descriptions of published sites.
func (c *core) descriptions() *automate.Descriptions {
	return &automate.Descriptions{Starter: c.automations(), Scratch: c.scratch, Open: c.source.Open, Fetch: c.fetch,
		Copies: func(ctx context.Context, d deploy.Deployment) (map[string]string, error) {
			return publish.LoadCopies(ctx, c.blob, d.ManifestKey)
		}}
}

// automations returns the starter of agent jobs for automations.
func (c *core) automations() *automate.Starter {
	return &automate.Starter{Store: c.Store, Models: c.Config.AgentModels, Secrets: c.secretValues, Now: c.Now,
		Logger: c.Logger}
}

// responder returns the responder to comments on code hosts that request an agent.
func (c *core) responder() *automate.Responder {
	return &automate.Responder{Starter: c.automations(), Open: c.discussion, Lease: c.Config.JobLease, Random: c.jitter,
		JobURL: func(projectID, jobID string) string {
			return c.baseURL() + "/dashboard/projects/" + projectID + "/agent/" + jobID
		}}
}

func (c *core) agentLimits() agentjob.Limits {
	s := c.Config
	return agentjob.Limits{Steps: s.AgentMaxSteps, Tokens: int64(s.AgentMaxTokens), Time: s.AgentMaxTime,
		Files: s.AgentMaxFiles, Bytes: int64(s.AgentMaxBytes)}
}

// place returns where changes to a project are proposed: its code host, or the embedded one.
func (c *core) place(ctx context.Context, p project.Project) (agent.Place, error) {
	if p.Source.Embedded() {
		remote, err := c.agents.home.Prepare(ctx, p)
		if err != nil {
			return agent.Place{}, err
		}
		return agent.Place{Remote: remote, Host: c.agents.home.Host(p, remote)}, nil
	}
	remote, err := c.source.Remote(ctx, p, "")
	if err != nil {
		return agent.Place{}, err
	}
	proof, err := c.forgeCredential(ctx, p)
	if err != nil {
		return agent.Place{}, err
	}
	if proof.App != nil {
		if remote.Credential, err = c.appCredential(ctx, *proof.App, p.Source.Repository,
			forge.Use{Write: true, Lasts: pushLife}); err != nil {
			return agent.Place{}, err
		}
	}
	host, err := forge.Open(c.forgeOptions(p, proof))
	return agent.Place{Remote: remote, Host: host}, err
}

// reporter returns the code host to which the states of a project's previews are reported.
func (c *core) reporter(ctx context.Context, p project.Project) (pull.Reporter, error) {
	if p.Source.Embedded() {
		remote, err := c.agents.home.Prepare(ctx, p)
		if err != nil {
			return nil, err
		}
		return c.agents.home.Host(p, remote), nil
	}
	proof, err := c.forgeCredential(ctx, p)
	if err != nil {
		return nil, err
	}
	return forge.OpenReporter(c.forgeOptions(p, proof))
}

// discussion returns the code host on which people discuss changes to a project.
func (c *core) discussion(ctx context.Context, p project.Project) (pull.Discussion, error) {
	if p.Source.Embedded() || p.Source.Repository == "" {
		return nil, forge.NoCodeHost()
	}
	proof, err := c.forgeCredential(ctx, p)
	if err != nil {
		return nil, err
	}
	return forge.OpenDiscussion(c.forgeOptions(p, proof))
}

// buildPage returns the dashboard URL of an update or a preview.
func (c *core) buildPage(deploymentID string) string {
	return c.baseURL() + "/dashboard/deployments/" + deploymentID
}

func (c *core) forgeOptions(p project.Project, proof forge.Credential) forge.Options {
	return forge.Options{Repository: p.Source.Repository, Servers: c.agents.servers, Credential: proof,
		HTTP: c.guard.Client(outbound.Limits{}), Trusts: c.guard.Trusts, Tokens: c.agents.tokens, Now: c.Now}
}

// codeHosts returns the clients for code hosts that people connect to.
func (c *core) codeHosts() forge.Hosts {
	return forge.Hosts{Servers: c.agents.servers, HTTP: c.guard.Client(outbound.Limits{}), Trusts: c.guard.Trusts,
		Tokens: c.agents.tokens, Now: c.Now}
}

// codePlace returns a project's repository at its code host.
func (c *core) codePlace(ctx context.Context, p project.Project) (connect.Place, error) {
	if p.Source.Embedded() {
		return nil, forge.NoCodeHost()
	}
	proof, err := c.forgeCredential(ctx, p)
	if err != nil {
		return nil, err
	}
	return c.codeHosts().Place(p.Source.Repository, proof)
}

// forgeCredential returns the credential for opening pull requests at the code host: the project's, or the one stored
// with an SSH key.
func (c *core) forgeCredential(ctx context.Context, p project.Project) (forge.Credential, error) {
	if p.Source.Credential == "" {
		return forge.Credential{}, fault.New(fault.Invalid, "missing_credential",
			"The project has no credential, which is needed to write to its code host.").
			WithField("source.credential").
			WithHint(
				"Create one for the organization, in the dashboard's settings or with POST /v1/credentials, and set it in the project.")
	}
	find := func(name string) (credential.Credential, error) { return c.findCredential(ctx, p.OrganizationID, name) }
	found, err := credential.ForAPI(find, p.Source.Credential, p.Source.Repository)
	return forge.Credential{User: found.User, Password: found.Password, App: found.App}, err
}

// buildFor returns a function that builds a draft of a project the way publishing would.
func (c *core) buildFor(p project.Project, _ fs.FS) agenttools.Build {
	return func(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error) {
		work, remove, err := c.scratch.Folder("build")
		if err != nil {
			return nil, err
		}
		defer func() { _ = remove() }() // removed when the process ends, if not here
		opt := build.Options{BaseURL: c.canonical(p.Domains[0]), Links: link.Clean, Tool: c.Version, Tools: c.press,
			Scripts: c.scripts, Offers: capability.Offers{Search: search}, Scratch: work, Now: build.Day(c.Now())}
		if session := c.cache.Begin(); session != nil {
			defer session.Close()
			opt.Cache, opt.Program = session, session.Program()
		}
		return build.Build(ctx, src, opt, out)
	}
}

// startPreview publishes an agent's branch under its own host name.
func (c *core) startPreview(ctx context.Context, p project.Project, branch, _ string) (url string, err error) {
	err = c.Store.Tx(ctx, func(t *store.Tx) error {
		d, err := t.QueueDeployment(ctx, p, deploy.Preview, branch, "agent")
		if err != nil {
			return err
		}
		url = c.previewAt(d.ID)
		return t.Record(ctx, event.New(p.OrganizationID, "system", "deployment.start", d.ID, "", c.Now(),
			map[string]string{"project": p.ID, "kind": string(deploy.Preview), "branch": branch, "trigger": "agent"}))
	})
	return url, err
}

// previewAt returns a preview's address as workers know it. An address below localhost gets the port of the server's
// public address.
func (c *core) previewAt(deploymentID string) string {
	domain := deploy.HostLabel(deploymentID) + "." + c.Config.PreviewDomain
	if !strings.HasSuffix(domain, ".localhost") {
		return c.canonical(domain)
	}
	return atPort("http://"+domain, portOf(c.baseURL()))
}

// portOf returns the port of a URL, or "" if it is implied.
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}

// jitter returns a random number from [0,1).
func (c *core) jitter() float64 {
	var raw [8]byte
	if _, err := io.ReadFull(c.Rand, raw[:]); err != nil {
		return 0.5
	}
	return float64(binary.BigEndian.Uint64(raw[:])>>11) / (1 << 53)
}

// secretValues returns the secrets that must never appear in an organization's transcripts, pages or pull requests. It
// does not include the secrets of other organizations, because the redaction would reveal whether one organization has
// guessed another's secret.
func (c *core) secretValues(ctx context.Context, organizationID string) ([]string, error) {
	s := c.Config
	out := []string{string(c.Secrets.Current), s.S3SecretKey, s.S3SessionToken, s.AgentAnthropicKey, s.AgentOpenAIKey,
		s.AssistantKey, s.AnalyticsGA4Secret, s.SecretKey}
	for _, p := range c.Secrets.Previous {
		out = append(out, string(p))
	}
	if u, err := url.Parse(s.Database); err == nil {
		if password, _ := u.User.Password(); len(password) >= minSecret {
			out = append(out, password)
		}
	}
	// the operator's own program may read its environment, but not print it
	for _, entry := range c.agents.engines.commandEnv() {
		if name, value, _ := strings.Cut(entry, "="); keepsSecret(name) && len(value) >= minSecret {
			out = append(out, value)
		}
	}
	if u, err := url.Parse(s.Database); err == nil {
		password, _ := u.User.Password()
		out = append(out, password)
	}
	own, err := c.credentialValues(ctx, organizationID)
	return slices.Concat(out, s.Credentials(c.Env).Values(), own), err
}

// minSecret is the minimum length, in bytes, of passwords that are redacted. Shorter ones may be ordinary words, such
// as postgres.
const minSecret = 12

// keepsSecret reports whether a variable's name suggests that it contains a secret.
func keepsSecret(name string) bool {
	name = strings.ToUpper(name)
	words := []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE", "CREDENTIAL", "AUTH"}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}
