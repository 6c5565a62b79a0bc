package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
)

// clinic contains a server's settings and the parts that could be opened without changing anything.
type clinic struct {
	*core
	store *store.Store // nil if it could not be opened
	deep  bool
}

// Doctor checks everything that a server with these settings needs, and reports each finding. deep also compares the
// database with the stored files.
func Doctor(ctx context.Context, opt Options, deep bool, tell func(doctor.Finding)) (failed bool, err error) {
	opt.Logger = slog.New(slog.DiscardHandler) // only findings are reported
	c := &clinic{core: &core{Options: opt, Ledger: &Ledger{}, baseURL: func() string { return opt.Config.PublicURL }},
		deep: deep}
	defer func() { err = errors.Join(err, c.close()) }()
	guard, err := newGuard(opt.Config)
	if err != nil {
		return true, err
	}
	c.guard = guard
	return doctor.Run(ctx, c.checks(), tell), nil
}

// operatorClient returns a client for addresses set by the operator, which are trusted wherever they are.
func operatorClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (c *clinic) checks() []doctor.Check {
	s, trusted := c.Config, operatorClient()
	list := []doctor.Check{
		{Name: "settings", Run: func(context.Context) []doctor.Finding {
			return []doctor.Finding{{Level: doctor.OK, Text: "The settings are valid."}}
		}},
		{Name: "addresses", Run: doctor.Addresses{Listen: s.Listen, PublicURL: s.PublicURL,
			PreviewDomain: s.PreviewDomain}.Look},
		{Name: "data folder", Run: doctor.Folder{Path: s.Data, Secret: s.SecretKey == "",
			Database: s.Database == ""}.Look},
		{Name: "database", Run: c.lookAtDatabase},
		{Name: "queue", Run: c.lookAtQueue},
		{Name: "stored files", Run: c.lookAtBlobs},
		{Name: "stored files", Run: c.lookDeep, Long: true},
		{Name: "local sources", Run: c.lookAtSources},
		{Name: "credentials", Run: c.lookAtCredentials},
		{Name: "git", Run: lookAtGit},
		{Name: "author code", Run: c.lookAtScripts},
		{Name: "sandbox", Run: c.lookAtSandbox},
		{Name: "listen", Run: doctor.Port{Setting: "listen", Address: s.Listen, Client: trusted}.Look},
	}
	if s.MetricsListen != "off" {
		list = append(list, doctor.Check{Name: "metrics",
			Run: doctor.Port{Setting: "metrics.listen", Address: s.MetricsListen, Client: trusted}.Look})
	}
	for _, e := range c.endpoints(trusted) {
		list = append(list, doctor.Check{Name: "reach", Run: e.Look})
	}
	if s.HasMail() {
		list = append(list, doctor.Check{Name: "mail", Run: c.lookAtMail, Long: true}) // mail.timeout limits each step
	}
	return append(list, doctor.Check{Name: "backup", Run: c.adviseBackup})
}

func (c *clinic) lookAtMail(ctx context.Context) []doctor.Finding {
	server, err := newMailServer(c.Config)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err, "", "No mail can be sent")}
	}
	return doctor.Mail{Server: server, Host: c.Config.MailHost, SignIn: c.Config.MailUser != ""}.Look(ctx)
}

// endpoints returns the external services in the settings. The operator's own services are trusted; code hosts are
// reached through the guard, like repositories.
func (c *clinic) endpoints(trusted *http.Client) (all []doctor.Endpoint) {
	s := c.Config
	for _, m := range s.AgentModels {
		switch kind, _, _ := config.SplitModel(m); kind {
		case config.ModelAnthropic:
			all = append(all, doctor.Endpoint{Setting: "agent.anthropic-url", URL: s.AgentAnthropicURL,
				Client: trusted})
		case config.ModelOpenAI:
			all = append(all, doctor.Endpoint{Setting: "agent.openai-url", URL: s.AgentOpenAIURL, Client: trusted})
		}
	}
	if s.OIDCIssuer != "" {
		all = append(all, doctor.Endpoint{Setting: "oidc.issuer",
			URL: strings.TrimRight(s.OIDCIssuer, "/") + "/.well-known/openid-configuration", Client: trusted})
	}
	if s.SAMLMetadataURL != "" {
		all = append(all, doctor.Endpoint{Setting: "saml.metadata-url", URL: s.SAMLMetadataURL, Client: trusted})
	}
	if s.AssistantEndpoint != "" {
		all = append(all, doctor.Endpoint{Setting: "assistant.endpoint", URL: s.AssistantEndpoint, Client: trusted})
	}
	all = append(all, c.collectors(trusted)...)
	servers, err := forge.ParseServers(s.ForgeHosts)
	if err != nil {
		return all // settings were validated before
	}
	guarded := c.guard.Client(outbound.Limits{})
	for host, server := range servers {
		address := "https://" + host
		if server.API != "" {
			address = server.API
		}
		all = append(all, doctor.Endpoint{Setting: "forge.hosts", URL: address, Client: guarded})
	}
	return all
}

// lookAtDatabase opens the database. It does not open a missing embedded one, because that would create it.
func (c *clinic) lookAtDatabase(ctx context.Context) []doctor.Finding {
	url := c.Config.Database
	if url == "" {
		url = filepath.Join(c.Config.Data, databaseFile)
		if _, err := os.Stat(url); errors.Is(err, os.ErrNotExist) {
			return []doctor.Finding{{Level: doctor.OK,
				Text: "There is no database yet; the first start creates one in the data folder."}}
		}
	}
	st, err := store.Open(ctx, store.Options{URL: url, Now: c.Now, IDs: id.Source{Rand: c.Rand}})
	if err = badDatabase(err, url); err != nil {
		return []doctor.Finding{doctor.FromError(err,
			"Check that the database is running and reachable from this machine, and the user name and password in LECTERN_DATABASE.", "The database cannot be opened")}
	}
	c.onClose(st.Close)
	if err := badDatabase(st.CheckIntegrity(ctx), url); err != nil {
		return []doctor.Finding{doctor.FromError(err, "Check the server's log; a backup may have to be restored.",
			"The database cannot be checked")}
	}
	c.store = st
	return append(doctor.Database{Store: st}.Look(ctx), c.lookAtSecret(ctx)...)
}

// lookAtSecret compares the secret key with the database's, the way a start would, but stores nothing.
func (c *clinic) lookAtSecret(ctx context.Context) []doctor.Finding {
	held, err := c.store.FindSetting(ctx, secretCheck)
	if err != nil || held == "" {
		return nil // an empty or newer database, already reported
	}
	if c.Config.SecretKey == "" {
		if _, err := os.Stat(filepath.Join(c.Config.Data, secretFile)); err != nil {
			return nil // already reported for the folder
		}
	}
	secrets, err := loadSecrets(c.Options)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err, "", "The secret key cannot be read")}
	}
	for _, s := range append([][]byte{secrets.Current}, secrets.Previous...) {
		if held == fingerprint(s) {
			return nil
		}
	}
	return []doctor.Finding{doctor.FromError(otherSecret(), "", "")}
}

func (c *clinic) lookAtQueue(ctx context.Context) []doctor.Finding {
	if c.store == nil {
		return nil
	}
	return doctor.Database{Store: c.store}.LookAtQueue(ctx)
}

func (c *clinic) lookAtBlobs(ctx context.Context) []doctor.Finding {
	_, onS3, _ := c.Config.OnS3() // validated before
	look := doctor.Blobs{Place: c.place(onS3), Probe: "doctor/" + id.Source{Rand: c.Rand}.New("probe-")}
	if onS3 {
		look.Links = operatorClient()
	}
	opened, err := c.openStored(ctx, onS3)
	if err != nil {
		return []doctor.Finding{doctor.FromError(err,
			"Give the server's user write permission there, or choose another folder with --data.",
			"The storage for files cannot be opened")}
	}
	if !opened {
		return nil // created by the first start
	}
	look.Store = c.blob
	return look.Look(ctx)
}

// lookDeep compares the database with the stored files. It runs after lookAtBlobs, which opens the blob store and
// reports errors.
func (c *clinic) lookDeep(ctx context.Context) []doctor.Finding {
	if !c.deep || c.blob == nil || c.store == nil {
		return nil
	}
	_, onS3, _ := c.Config.OnS3() // validated before
	return doctor.Blobs{Place: c.place(onS3), Store: c.blob, Named: doctor.Named(c.store, packsOf(c.blob))}.LookDeep(ctx)
}

// place returns the name of the blob store, for people.
func (c *clinic) place(onS3 bool) string {
	if onS3 {
		return "the bucket"
	}
	return "the data folder"
}

// openStored opens the blob store without creating or marking a folder; opened is false if it does not exist yet.
func (c *clinic) openStored(ctx context.Context, onS3 bool) (opened bool, err error) {
	if onS3 {
		return true, c.openBlob(ctx)
	}
	folder := filepath.Join(c.Config.Data, "blobs")
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	d, err := disk.Open(folder, nil, c.baseURL) // no base URL: links of this store are not followed
	if err != nil {
		return false, err
	}
	c.blob = d
	c.onClose(d.Close)
	return true, nil
}

// packsOf returns a function that lists the blobs needed by a manifest.
func packsOf(b blob.Store) func(ctx context.Context, manifest string) ([]string, error) {
	return func(ctx context.Context, manifest string) ([]string, error) {
		m, err := publish.LoadManifest(ctx, b, manifest)
		if err != nil {
			return nil, err
		}
		return publish.Needs(ctx, b, m)
	}
}
