package adminapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var master = bytes.Repeat([]byte("m"), 32)

const lease = time.Minute

// world is a running API with a real store and a real blob folder.
type world struct {
	lose func(store.Principal) // called right after a member was identified, for example to demote them; may be nil

	store  *store.Store
	dbFile string
	blob   *disk.Store
	names  *dns.Server // where the API looks up proofs for domains
	clock  *worktest.Clock
	log    *worktest.Log
	ids    id.Source
	server *httptest.Server
	stop   chan struct{} // closed when the server stops
	code   *codeHost     // git.example.com
	hosts  forge.Hosts   // clients that reach it
}

// apiDescription is converted once for all tests.
var apiDescription = sync.OnceValues(api.JSON)

// newWorld starts an API; change may alter its options.
func newWorld(t testing.TB, change func(*adminapi.Options)) *world {
	t.Helper()
	return newWorldOn(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")), change)
}

// newWorldOn starts an API with a database: an SQLite file or a PostgreSQL URL.
func newWorldOn(t testing.TB, database string, change func(*adminapi.Options)) *world {
	t.Helper()
	w := &world{clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC)), log: &worktest.Log{},
		ids: id.Source{Rand: rand.Reader}, stop: make(chan struct{})}
	w.dbFile = database
	var err error
	w.store, err = store.Open(t.Context(), store.Options{URL: w.dbFile, Now: w.clock.Now, IDs: w.ids,
		Wake:    func(context.Context, any, task.Lane) error { return nil },
		Domains: project.DomainPolicy{Open: []string{"example"}}}) // other names need a proof
	must(t, err)
	t.Cleanup(func() { _ = w.store.Close() })
	if store.IsPostgres(database) { // files already have all tables
		_, err = w.store.Migrate(t.Context())
		must(t, err)
	}
	signer, err := blob.NewSigner(master, nil, w.clock.Now)
	must(t, err)
	w.blob, err = disk.Open(t.TempDir(), signer, func() string { return "http://unused.example" })
	must(t, err)
	t.Cleanup(func() { _ = w.blob.Close() })
	w.names = dns.Start(t, func(string) []netip.Addr { return nil })
	guard, err := outbound.NewGuard(nil)
	must(t, err)
	m := &deciding{store: w.store, now: w.clock.Now,
		changes: []draft.Change{{Path: "a.mdx", Before: []byte("one\n"), After: []byte("two\n")}}}
	o := adminapi.Options{
		Store: w.store, Blob: w.blob, Log: slog.New(slog.NewTextHandler(w.log, nil)), Now: w.clock.Now, IDs: w.ids,
		Rand:     rand.Reader,
		LeakKeys: leakKeys(), Masters: [][]byte{master}, RateLimit: 1_000_000, AnalyticsLimit: 1_000_000,
		LinkLife: time.Hour, PreviewDomain: "preview.localhost",
		LocalSource: func(context.Context, string, string) error { return nil },
		SiteURL:     func(domain string) string { return "http://" + domain + ":8080" },
		PreviewURL: func(d string) string {
			return "http://" + deploy.HostLabel(d) + ".preview.localhost:8080"
		},
		ValidateRepository: func(url string) error { return git.ValidateURL(url, true) },
		ValidateBranch:     git.ValidateBranch,
		Deployment: feature.Decide(feature.Setup{Type: feature.ClientHosted, Search: "on", Analytics: "on",
			Assistant: "local"}),
		Version: "0.0.0-test", Description: apiDescription, Ready: w.store.Ping,
		Libraries: func(context.Context, string, string, reader.View) (*sitereader.Library, error) {
			return builtSite(t).Library(), nil
		},
		AgentModels: []string{"builtin", "example-model"}, Merger: m, Reviewer: m, SourceFiles: onePage{},
		Secrets: func(context.Context, string) ([]string, error) {
			return []string{"hunter2-is-the-key-of-this-server"}, nil
		},
		Prover: domainproof.New(guard.AskingAt(w.names.Addr())), Hosts: w.startCodeHost(t),
		Place:    w.codePlace,
		Stopping: w.stop, StreamPoll: 2 * time.Millisecond, StreamBeat: 50 * time.Millisecond,
	}
	o.Conversations = &assistant.Conversations{Assistant: assistant.New(nil, llm.Retry{}), Keeper: w.store, IDs: w.ids,
		Now: w.clock.Now, Logger: o.Log, Salts: w.store}
	if change != nil {
		change(&o)
	}
	handler := w.withMembers(adminapi.New(o))
	// The disk driver serves its own links, as in a real server.
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/blob/") {
			w.blob.ServeHTTP(rw, r)
			return
		}
		handler.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.server.Close)
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tenant is an organization with one resource of each kind.
type tenant struct {
	org        account.Organization
	key        string // secret with all scopes
	keyID      string
	spareKeyID string // not used
	credential account.Credential
	spareKey   string
	foundKey   string // reported as leaked
	project    project.Project
	folder     project.Project // with a folder as its source
	done       export.Job      // completed
	queued     export.Job
	agentJob   agentjob.Job // active
	agentDone  agentjob.Job // completed, with an open pull request
	proposal   proposal.Proposal
	second     proposal.Proposal
	reviewed   proposal.Proposal
	comment    proposal.Comment  // on the previous proposal, with a suggestion
	deployment deploy.Deployment // production, live
	earlier    deploy.Deployment // production, published before that one
	invitation account.Invitation
	thread     string                          // a conversation with the assistant
	members    map[account.Role]account.Member // one of each role, who can sign in
	feedback   audience.Feedback
	endpoint   endpoint.Endpoint // of webhooks
	delivery   endpoint.Delivery // to it
	automation automation.Automation
	product    project.Product
	receipt    string // id of a receipt in the product repository
}

// newTenant creates an organization whose projects are served below name.example.
func (w *world) newTenant(t testing.TB, name string, plan account.Plan) tenant {
	t.Helper()
	x := w.idleTenant(t, name, plan)
	ctx := t.Context()
	x.agentDone = w.finishAgentJob(t, x.agentDone)
	w.publish(t, &x.earlier)
	must(t, w.store.Tx(ctx, func(tx *store.Tx) (err error) {
		x.deployment, err = tx.QueueDeployment(ctx, x.project, deploy.Production, "", "api")
		return err
	}))
	w.publish(t, &x.deployment)
	x.done = w.finishExport(t, w.newExport(t, x))
	x.queued = w.newExport(t, x)
	x.thread = w.ids.New(id.Thread)
	must(t, w.store.AddExchange(ctx, conversation.Exchange{ID: w.ids.New(id.Message), ThreadID: x.thread,
		ProjectID: x.project.ID, At: w.clock.Now(), Caller: conversation.Web, Page: "/guides/start",
		Question: "How?", Answer: "With screws [1].", Type: conversation.Answered,
		Sources: []conversation.Source{{Number: 1, Path: "/guides/start#install-the-thruster", Title: "Start"}},
		Model:   "m"}))
	return x
}

// allowProof publishes the record with which an organization can prove that it owns a domain.
func (w *world) allowProof(org, domain string) {
	c := project.NewChallenge(master, org, domain)
	w.names.SetTXT(c.Record, c.Value)
}

// idleTenant is like newTenant, but none of its work has ended, so its log is empty.
func (w *world) idleTenant(t testing.TB, name string, plan account.Plan) tenant {
	t.Helper()
	var x tenant
	ctx := t.Context()
	must(t, w.store.Tx(ctx, func(tx *store.Tx) (err error) {
		if x.org, err = tx.CreateOrganization(ctx, name, plan); err != nil {
			return err
		}
		p := project.Project{OrganizationID: x.org.ID, Name: name, Domains: []string{"docs." + name + ".example"},
			Source: project.Source{Repository: "https://git.example.com/" + name + "/docs.git", Branch: "main",
				Credential: "docs-bot"}}
		if x.project, err = tx.CreateProject(ctx, p); err != nil {
			return err
		}
		p.Domains, p.Source = []string{"folder." + name + ".example", "docs." + name + ".test"},
			project.Source{Path: "/srv/docs"}
		if x.folder, err = tx.CreateProject(ctx, p); err != nil {
			return err
		}
		// Pending, even for the first organization.
		if _, err = tx.ReleaseDomain(ctx, p.Domains[1]); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		w.allowProof(x.org.ID, p.Domains[1])
		want := agentjob.Job{OrganizationID: x.org.ID, ProjectID: x.project.ID, Repository: p.Source.URL(),
			Model: "example-model"}
		for _, j := range []*agentjob.Job{&x.agentJob, &x.agentDone} {
			if *j, err = tx.CreateAgentJob(ctx, want,
				agentjob.Entry{Author: "key_x", Text: "Fix broken links."}); err != nil {
				return err
			}
		}
		for i, one := range []*proposal.Proposal{&x.proposal, &x.second, &x.reviewed} {
			if *one, err = tx.CreateProposal(ctx, proposal.Proposal{OrganizationID: x.org.ID, ProjectID: x.project.ID,
				Title: "Fix links", Head: fmt.Sprint("lectern/", i), Base: "main"}); err != nil {
				return err
			}
		}
		if x.comment, err = tx.CreateProposalComment(ctx, proposal.Comment{OrganizationID: x.org.ID,
			ProposalID: x.reviewed.ID, File: "a.mdx", Side: proposal.New, Line: 1, Last: 1, Quote: "two", Body: "Why?",
			Suggests: true, Suggestion: "three", Commit: headCommit, Author: "key_x"}); err != nil {
			return err
		}
		x.credential = account.Credential{OrganizationID: x.org.ID, Name: "docs-bot", Kind: account.CredentialToken,
			BaseURL: "https://git.example.com/" + name}
		x.credential, err = tx.CreateCredential(ctx, x.credential, func(credentialID string) string {
			x.credential.ID = credentialID
			return credential.Seal(master, rand.Reader, x.credential,
				credential.Credential{Password: "stored-secret-of-" + name})
		})
		if err != nil {
			return err
		}
		x.endpoint = endpoint.Endpoint{OrganizationID: x.org.ID, URL: "https://hooks." + name + ".example/in",
			Events: []string{"none.such"}, Enabled: true}
		if x.endpoint, err = tx.CreateEndpoint(ctx, x.endpoint, func(endpointID string) string {
			return endpoint.SealSecret(master, rand.Reader, endpointID, "whsec_"+name)
		}); err != nil {
			return err
		}
		if x.automation, err = tx.CreateAutomation(ctx, automation.Automation{OrganizationID: x.org.ID, ProjectID: x.project.ID,
			Name: "on-call", Trigger: automation.OnCall, Workflow: "fix-links", MaxPerDay: 5, Enabled: true,
			Owner: "key_x"}); err != nil {
			return err
		}
		if x.product, err = tx.CreateProduct(ctx, project.Product{OrganizationID: x.org.ID, ProjectID: x.project.ID,
			Name: "server", Source: project.Source{Repository: "https://git.example.com/" + name + "/server"}}); err != nil {
			return err
		}
		// The event itself is not in the log: tests count the events recorded by requests.
		queued, err := tx.QueueDeliveries(ctx, x.endpoint, event.Event{ID: w.ids.New(id.Event), Action: endpoint.TestAction})
		if err != nil {
			return err
		}
		x.delivery = queued[0]
		x.earlier, err = tx.QueueDeployment(ctx, x.project, deploy.Production, "", "api")
		return err
	}))
	must(t, w.store.KeepReceipts(ctx, x.org.ID, x.project.ID, "aj_0", nil, []project.Receipt{{Product: x.product.Name, Page: "index.mdx",
		Path: "main.go", Line: 1, Commit: "c1", Quotation: "package main"}}))
	cited, err := w.store.ListHeldReceipts(ctx, x.product.ID, project.Receipt{}, 1)
	must(t, err)
	x.receipt = cited[0].ID
	w.addMembers(t, &x)
	w.addFeedback(t, &x)
	x.key, x.keyID = w.newKey(t, x.org.ID, nil)
	x.spareKey, x.spareKeyID = w.newKey(t, x.org.ID, nil)
	x.foundKey, _ = w.newKey(t, x.org.ID, nil)
	// The tenant's agent works on a proposal's branch. Normally a worker sets that.
	const set = `UPDATE agent_jobs SET ref = $2 WHERE id = $1`
	if pool := w.store.Postgres(); pool != nil {
		_, err := pool.Exec(ctx, set, x.agentJob.ID, x.reviewed.Head)
		must(t, err)
	} else {
		_, err := w.store.SQLite().ExecContext(ctx, set, x.agentJob.ID, x.reviewed.Head)
		must(t, err)
	}
	return x
}

// newKey stores a key with all scopes, modified by change.
func (w *world) newKey(t testing.TB, org string, change func(*account.Key)) (secret, keyID string) {
	t.Helper()
	k, err := account.NewKey(org, account.Request{Scopes: []string{"read", "write", "admin"}},
		w.clock.Now().Add(-2*time.Hour))
	must(t, err)
	k.Scopes = account.Scopes()
	secret = account.NewSecret(rand.Reader)
	k.Prefix, k.Hash = account.Visible(secret), account.NewHasher(master).Hash(secret)
	if change != nil {
		change(&k)
	}
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		k, err = tx.CreateKey(t.Context(), k)
		if err == nil && k.RevokedAt != nil {
			_, err = tx.RevokeKey(t.Context(), org, k.ID, false)
		}
		return err
	}))
	return secret, k.ID
}

func (w *world) newExport(t testing.TB, x tenant) (j export.Job) {
	t.Helper()
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateExport(t.Context(), export.Job{OrganizationID: x.org.ID, ProjectID: x.project.ID,
			Domain: x.project.Domains[0], Version: "v1 beta/2"})
		return err
	}))
	return j
}

// hold takes tasks like a worker until it holds the one with the given id.
func (w *world) hold(t testing.TB, taskID string) task.Hold {
	t.Helper()
	for {
		got, ok, err := w.store.TakeTask(t.Context(), "test", lease, false)
		must(t, err)
		if !ok {
			t.Fatalf("task %s is not waiting", taskID)
		}
		if got.ID == taskID {
			return task.Hold{TaskID: got.ID, Fence: got.Fence}
		}
	}
}
