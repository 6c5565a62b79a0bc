package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// attack is a server shared by two organizations, one of which attacks the other.
type attack struct {
	*process
	attacker, victim tenant
	attack, defend   *client.Client
	repo             gitea.Repository // private, on a real code host
	token            string           // grants access to repo
	project          *client.Project  // the victim's project, from repo
	credential       *client.Credential
	export           *client.ExportJob // the victim's
}

const victimDomain = "docs.acme.example"

// startAttack starts the server as it runs behind a proxy and publishes the victim's site from its private repository.
func startAttack(t *testing.T) *attack {
	t.Helper()
	host := gitea.Shared(t)
	owner, data := host.User(t), t.TempDir()
	s := &attack{token: owner.Token,
		repo: host.Repository(t, owner,
			map[string]string{
				"docs.json": `{"name":"Acme","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index"]}}`,
				"index.mdx": "---\ntitle: Home\n---\n\nmark-victim\n"})}
	host.Call(t, owner, http.MethodPatch, s.repo.Path(), map[string]any{"private": true}, nil)
	orgs, roots := organizations(t, nil, data, 2, 1)
	s.attacker, s.victim = orgs[0], orgs[1]
	for _, o := range []*tenant{&s.attacker, &s.victim} {
		o.key = command(t, nil, "keys", "create", "--data", data, "--organization", o.id, "--scope", "read,write,admin")
	}
	s.process = serve(t, data, []string{roots}, "--first-site", "off", "--public-url", "https://lectern.example.com",
		"--trusted-proxies", "127.0.0.1",
		"--allow-address", "127.0.0.1", "--git-poll-interval", "0", "--workers", "2", "--rate-limit", "0")
	s.attack, s.defend = s.client(s.attacker.key), s.client(s.victim.key)
	base, err := url.Parse(host.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.credential, err = s.defend.CreateCredential(background(), client.CreateCredential{Name: "docs-bot", Kind: "token",
		URL: "http://" + base.Host + "/" + owner.Name, User: owner.Name, Secret: s.token})
	if err != nil {
		t.Fatal(err)
	}
	s.publishVictim()
	s.export, err = s.defend.StartExport(background(), client.StartExport{Domain: victimDomain},
		client.WithIdempotencyKey("the same for both"))
	if err == nil {
		_, err = s.defend.WaitExport(background(), s.export.JobID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// publishVictim creates the victim's project and waits until readers see it. The operator confirms the domain.
func (s *attack) publishVictim() {
	s.t.Helper()
	command(s.t, nil, "org", "domains", "approve", victimDomain, "--organization", s.victim.id, "--data", s.data)
	made, err := s.defend.CreateProject(background(), client.CreateProject{Name: "Acme", Domain: victimDomain,
		Source: client.SourceInput{Repository: s.repo.Clone, Branch: "main", Credential: "docs-bot"}})
	if err == nil {
		_, err = s.defend.WaitUpdate(background(), made.LastUpdate.StatusID, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.project = made
	s.checkVictimServed()
}

// checkVictimServed fails the test unless readers of the victim's domain see the victim's page.
func (s *attack) checkVictimServed() {
	s.t.Helper()
	if code, html := page(s.t, s.process, victimDomain, "/"); code != http.StatusOK ||
		!strings.Contains(html, "mark-victim") {
		s.t.Fatalf("the victim's site: %d %s", code, html)
	}
}

// checkRefused fails the test unless the error is an API error with the given status.
func (s *attack) checkRefused(what string, err error, status int) {
	s.t.Helper()
	var e *client.Error
	if !errors.As(err, &e) || e.Status != status {
		s.t.Errorf("%s: %v, want the status %d", what, err, status)
	}
}

// A8, C10, G10, J7, K4, K9: two organizations share a server. One knows every name and id of the other and tries to
// read, publish, push, take over, lock out and delay. Every attempt fails, and its responses do not reveal what exists.
func TestHostileOrganizationCannotReadOthers(t *testing.T) {
	t.Parallel()
	s := startAttack(t)
	s.attackFolders()
	s.attackCredentials()
	s.attackKeys()
	s.attackIDs()
	s.attackDomains()
	s.attackQueue()
	s.checkVictimServed()
	if strings.Contains(s.Output(), s.token) {
		t.Error("the victim's token is in the server's log")
	}
}

func (s *attack) attackFolders() {
	s.t.Helper()
	a := caller{s.process, s.attacker.key}
	for name, source := range map[string]client.SourceInput{"path": {Path: s.victim.source}, "data": {Path: s.data},
		"file":  {Repository: "file://" + s.victim.source},
		"plain": {Repository: s.victim.source}, "up": {Path: s.attacker.source + "/../.."}} {
		a.checkRefusedFolder(name, source)
	}
}

// attackCredentials guesses the victim credential's name, points the attacker's own credential at the repository, and
// tries to read the stored one.
func (s *attack) attackCredentials() {
	s.t.Helper()
	guess := func(n int, credential string) string {
		made, err := s.attack.CreateProject(background(),
			client.CreateProject{Name: "Guess", Domain: fmt.Sprintf("guess-%d.localhost", n),
				Source: client.SourceInput{Repository: s.repo.Clone, Branch: "main", Credential: credential}})
		if err != nil {
			s.t.Fatal(err)
		}
		update, err := s.attack.WaitUpdate(background(), made.LastUpdate.StatusID, nil)
		if err == nil || update == nil || update.Error == nil || update.Commit.SHA != "" {
			s.t.Fatalf("the private repository was read with the credential %q: %+v %v", credential, update, err)
		}
		job, err := s.attack.CreateAgentJob(background(), made.ProjectID,
			client.CreateAgentJob{Prompt: `replace "mark" with "owned"`})
		if err != nil {
			s.t.Fatal(err)
		}
		if job, err = s.attack.WaitAgentJob(background(), made.ProjectID, job.ID, nil); job == nil ||
			job.Status != client.AgentJobStatusFailed || job.PRLink != nil {
			s.t.Errorf("an agent pushed to the private repository with the credential %q: %+v %v", credential, job, err)
		}
		return strings.ReplaceAll(*update.Error, credential, "NAME")
	}
	if right, wrong := guess(1, "docs-bot"), guess(2, "never-was"); right != wrong {
		s.t.Errorf("a guessed credential: %s; one that does not exist: %s", right, wrong)
	}
	guess(3, "")
	_, err := s.attack.ReplaceCredential(background(), s.credential.CredentialID,
		client.ReplaceCredential{URL: "http://127.0.0.1:9", Secret: "x"})
	s.checkRefused("replace the credential", err, http.StatusNotFound)
	s.checkRefused("delete the credential", s.attack.DeleteCredential(background(), s.credential.CredentialID),
		http.StatusNotFound)
	if list, err := s.attack.ListCredentials(background()); err != nil || len(list.Credentials) != 0 {
		s.t.Errorf("credentials that the attacker sees: %+v %v", list, err)
	}
	if kept, err := s.defend.ListCredentials(background()); err != nil || len(kept.Credentials) != 1 ||
		kept.Credentials[0].URL != s.credential.URL {
		s.t.Errorf("credentials of the victim: %+v %v", kept, err)
	}
}

// attackKeys uses leaked keys: none of them gains permissions.
func (s *attack) attackKeys() {
	s.t.Helper()
	leaked := func(in client.CreateKey) *client.Client {
		k, err := s.attack.CreateKey(background(), in)
		if err != nil {
			s.t.Fatal(err)
		}
		return s.client(k.Secret)
	}
	writer := leaked(client.CreateKey{Scopes: []string{"read", "write"}})
	_, err := writer.CreateInvitation(background(),
		client.CreateInvitation{Email: "mallory@example.com", Role: "admin"})
	s.checkRefused("invite with a write key", err, http.StatusForbidden)
	_, err = writer.CreateKey(background(), client.CreateKey{})
	s.checkRefused("make a key with a write key", err, http.StatusForbidden)
	short := leaked(client.CreateKey{Scopes: []string{"read", "admin"}, ExpiresInDays: 7})
	_, err = short.CreateKey(background(), client.CreateKey{Scopes: []string{"write"}})
	s.checkRefused("give a scope that the key lacks", err, http.StatusForbidden)
	_, err = short.CreateKey(background(), client.CreateKey{Scopes: []string{"read"}, ExpiresInDays: 90})
	s.checkRefused("outlive the key", err, http.StatusForbidden)
	if child, err := short.CreateKey(background(), client.CreateKey{Scopes: []string{"read"}}); err != nil ||
		child.ExpiresAt == nil {
		s.t.Errorf("a key created with a seven-day key: %+v %v", child, err)
	}
	bound := leaked(client.CreateKey{Scopes: []string{"admin"}, Addresses: []string{"127.0.0.1"}})
	_, err = bound.CreateKey(background(),
		client.CreateKey{Scopes: []string{"admin"}, Addresses: []string{"127.0.0.0/8"}})
	s.checkRefused("leave the list of addresses", err, http.StatusForbidden)
	keys, err := s.defend.ListKeys(background(), client.ListKeysParams{Limit: 10})
	if err != nil || len(keys.Keys) == 0 {
		s.t.Fatal(keys, err)
	}
	s.checkRefused("revoke the victim's key", s.attack.RevokeKey(background(), keys.Keys[0].KeyID, client.RevokeKeyParams{}),
		http.StatusNotFound)
}

// attackIDs uses every id of the victim. Each response is the same as for an id that does not exist.
func (s *attack) attackIDs() {
	s.t.Helper()
	a := caller{s.process, s.attacker.key}
	project, update, export := s.project.ProjectID, s.project.LastUpdate.StatusID, s.export.JobID
	for _, x := range []struct {
		method, path, id string
		body             any
	}{
		{"GET", "/v1/projects/%s", project, nil}, {"PATCH", "/v1/projects/%s", project,
			map[string]string{"name": "Owned"}}, {"DELETE", "/v1/projects/%s", project, nil},
		{"GET", "/v1/projects/%s/reader-access", project, nil},
		{"PUT", "/v1/projects/%s/reader-access", project, map[string]string{"mode": "organization"}},
		{"DELETE", "/v1/projects/%s/reader-sessions", project, nil},
		{"POST", "/v1/project/update/%s", project, nil},
		{"POST", "/v1/project/preview/%s", project, map[string]string{"branch": "main"}},
		{"GET", "/v1/project/update-status/%s", update, nil}, {"GET", "/v1/projects/%s/deployments", project, nil},
		{"GET", "/v1/static-export/jobs/%s", export, nil}, {"POST", "/v1/static-export/jobs/%s/bundle", export, nil},
		{"POST", "/v1/static-export/jobs/%s/cancel", export, nil},
		{"GET", "/v1/static-export/jobs/%s/events", export, nil},
		{"POST", "/v2/agent/%s/job", project, map[string]string{"prompt": `replace "mark" with "owned"`}},
		{"GET", "/v2/agent/%s/jobs", project, nil}, {"GET", "/v2/agent/%s/proposals", project, nil},
	} {
		answer := func(id string) string {
			r := a.do(x.method, fmt.Sprintf(x.path, id), x.body)
			defer func() { _ = r.Body.Close() }()
			raw, err := io.ReadAll(r.Body)
			if err != nil {
				s.t.Fatal(err)
			}
			text, _, _ := strings.Cut(string(raw), `"requestId"`)
			return fmt.Sprint(r.StatusCode, strings.ReplaceAll(text, id, "ID"))
		}
		kind, _, _ := strings.Cut(x.id, "_")
		theirs, none := answer(x.id), answer(kind+"_aaaaaaaaaaaaaaaaaaaaaaaa")
		if theirs != none || !strings.HasPrefix(theirs, "404") {
			s.t.Errorf("%s %s: %s; for an id that does not exist: %s", x.method, x.path, theirs, none)
		}
	}
	_, err := s.attack.StartExport(background(), client.StartExport{Domain: victimDomain},
		client.WithIdempotencyKey("the same for both"))
	s.checkRefused("export the victim's site with the victim's Idempotency-Key", err, http.StatusNotFound)
}

// attackDomains tries to attract readers of the victim's domains, before and after the victim gives them up.
func (s *attack) attackDomains() {
	s.t.Helper()
	claim := func(domain string) error {
		_, err := s.attack.CreateProject(background(),
			client.CreateProject{Name: "Claim", Domain: domain, Source: client.SourceInput{Path: s.attacker.source}})
		return err
	}
	s.checkRefused("take a held domain", claim(victimDomain), http.StatusConflict)
	s.checkRefused("take a name below it", claim("login."+victimDomain), http.StatusConflict)
	if err := claim("acme.example"); err != nil {
		s.t.Errorf("a claim without proof must be accepted, although it has no effect: %v", err)
	}
	_, err := s.attack.VerifyDomain(background(), "acme.example")
	s.checkRefused("verify without a proof", err, http.StatusConflict)
	if code, html := page(s.t, s.process, "acme.example", "/"); strings.Contains(html, "Welcome") {
		s.t.Errorf("an unproven domain is served: %d", code)
	}
	s.checkVictimServed()
	if err := s.defend.DeleteProject(background(), s.project.ProjectID); err != nil {
		s.t.Fatal(err)
	}
	s.checkRefused("take a domain that was just given up", claim(victimDomain), http.StatusConflict)
	s.checkRefused("take a name below it", claim("login."+victimDomain), http.StatusConflict)
	s.publishVictim()
}

// attackQueue fills every slot and the queue with large exports. The victim starts two exports, the second while the
// first runs, and both end before the attacker's.
func (s *attack) attackQueue() {
	s.t.Helper()
	const exports, pages = 8, 1200
	big := s.attacker.source + "/big"
	if err := os.Mkdir(big, 0o755); err != nil {
		s.t.Fatal(err)
	}
	fillSite(s.t, big, pages)
	made := newProject(s.t, s.attack, big, "big.localhost")
	if _, err := s.attack.WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
		s.t.Fatal(err)
	}
	start := func(c *client.Client, domain string, n int) (jobs []string) {
		for i := range n {
			job, err := c.StartExport(background(),
				client.StartExport{Domain: domain, Version: fmt.Sprintf("attack-%d", i)})
			if err != nil {
				s.t.Fatal(err)
			}
			jobs = append(jobs, job.JobID)
		}
		return jobs
	}
	flood := start(s.attack, "big.localhost", exports)
	for _, id := range start(s.defend, victimDomain, 2) {
		if _, err := s.defend.WaitExport(background(), id, nil); err != nil {
			s.t.Fatal(err)
		}
	}
	last, err := s.attack.GetExport(background(), flood[exports-1])
	if err != nil || last.Status == client.ExportStatusCompleted {
		s.t.Errorf("the victim's exports ended after the attacker's last: %+v %v", last, err)
	}
	for _, id := range flood {
		if _, err := s.attack.CancelExport(background(), id); err != nil &&
			!strings.Contains(err.Error(), "completed") {
			s.t.Error(err)
		}
	}
}
