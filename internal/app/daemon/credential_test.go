package daemon

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/store"
)

const token = "t0ken-of-organization-a"

// ownSettings returns the settings of a server on SQLite.
func ownSettings(t *testing.T) config.Server {
	t.Helper()
	c := config.Defaults()
	c.Data, c.SecretKey, c.AllowAddress = t.TempDir(), strings.Repeat("k", 32), []string{"127.0.0.1"}
	return c
}

func (c *core) newOrganization(t *testing.T) account.Organization {
	t.Helper()
	var o account.Organization
	err := c.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(t.Context(), "O", account.PlanEnterprise)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// storeCredential stores a token of the organization.
func (c *core) storeCredential(t *testing.T, organizationID, name, url string) account.Credential {
	t.Helper()
	value, err := credential.Parse(credential.Request{Name: name, Kind: account.CredentialToken, URL: url, User: "bot",
		Secret: token})
	if err != nil {
		t.Fatal(err)
	}
	row := account.Credential{OrganizationID: organizationID, Name: name, Kind: account.CredentialToken,
		BaseURL: value.BaseURL}
	err = c.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		made := row
		row, err = tx.CreateCredential(t.Context(), row, func(credentialID string) string {
			made.ID = credentialID
			return credential.Seal(c.Secrets.Current, rand.Reader, made, value)
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// privateHost serves repositories to clients with the token, and counts the requests that carry it.
func privateHost(t *testing.T) (url string, carried *atomic.Int64) {
	t.Helper()
	root, run := t.TempDir(), func(args ...string) string {
		out, err := exec.Command("git", args...).Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	for _, name := range []string{"a/docs.git", "b/docs.git"} {
		run("init", "-q", "--bare", filepath.Join(root, name))
		tree := run("-C", filepath.Join(root, name), "hash-object", "-t", "tree", "-w", "/dev/null")
		commit := run("-C", filepath.Join(root, name), "-c", "user.name=x", "-c", "user.email=x@example.com",
			"commit-tree", "-m", "x", tree)
		run("-C", filepath.Join(root, name), "update-ref", "refs/heads/main", commit)
		run("-C", filepath.Join(root, name), "symbolic-ref", "HEAD", "refs/heads/main")
	}
	backend := &cgi.Handler{Path: filepath.Join(run("--exec-path"), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"}, InheritEnv: []string{"PATH"}}
	carried = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "bot" || password != token {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		carried.Add(1)
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, carried
}

// A8, G2: a credential gives access only to the repositories it was created for, and only to its organization. Another
// organization that guesses its name gets the same error as for a name that never existed. For another repository, or
// after the credential was deleted, it is refused before anything is sent.
func TestCredentialIsLimitedToItsOrganizationAndRepository(t *testing.T) {
	c, log := process(t, ownSettings(t), true)
	host, carried := privateHost(t)
	a, b := c.newOrganization(t), c.newOrganization(t)
	row := c.storeCredential(t, a.ID, "docs", host+"/a")
	head := func(organizationID, repository, name string) error {
		_, err := c.source.Head(t.Context(), project.Project{ID: "prj_x", OrganizationID: organizationID,
			Source: project.Source{Repository: repository, Branch: "main", Credential: name}})
		return err
	}
	if err := head(a.ID, host+"/a/docs.git", "docs"); err != nil || carried.Load() == 0 {
		t.Fatalf("its own: %v, %d requests", err, carried.Load())
	}
	if used, err := c.Store.FindCredential(t.Context(), a.ID, row.ID); err != nil || used.LastUsedAt == nil {
		t.Errorf("its use was not recorded: %+v %v", used, err)
	}
	sent := carried.Load()
	foreign, never := head(b.ID, host+"/a/docs.git", "docs"), head(b.ID, host+"/a/docs.git", "none")
	for _, err := range []error{foreign, never} {
		if !fault.HasCode(err, "unknown_credential") {
			t.Errorf("%v", err)
		}
	}
	if f, n := public(foreign), strings.ReplaceAll(public(never), `"none"`, `"docs"`); f != n {
		t.Errorf("a foreign one is distinguishable: %q, %q", f, n)
	}
	if err := head(a.ID, host+"/b/docs.git", "docs"); !fault.HasCode(err, "credential_not_for_repository") {
		t.Errorf("for another repository: %v", err)
	}
	if _, err := c.place(t.Context(),
		project.Project{ID: "prj_x", OrganizationID: b.ID, Source: project.Source{Repository: host + "/a/docs.git",
			Credential: "docs"}}); !fault.HasCode(err, "unknown_credential") {
		t.Errorf("for another's agent: %v", err)
	}
	err := c.Store.Tx(t.Context(),
		func(tx *store.Tx) error { _, err := tx.DeleteCredential(t.Context(), a.ID, row.ID); return err })
	if err != nil {
		t.Fatal(err)
	}
	if err := head(a.ID, host+"/a/docs.git", "docs"); !fault.HasCode(err, "unknown_credential") {
		t.Errorf("after it was deleted: %v", err)
	}
	if carried.Load() != sent || strings.Contains(log.String(), token) {
		t.Errorf("%d more requests carried the token; log: %s", carried.Load()-sent, log)
	}
}

func public(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Public + f.Hint + f.Code
	}
	return fmt.Sprint(err)
}

// The server's own credentials can be used by its only organization or, if there are several, by those that the
// operator lists.
func TestServerCredentialsNeedAListedOrganization(t *testing.T) {
	settings := ownSettings(t)
	settings.CredentialsDir = t.TempDir()
	c, _ := process(t, settings, true)
	c.Env = config.NewEnv([]string{"LECTERN_CREDENTIAL_SHARED=https://bot:" + token + "@git.example.com"})
	a := c.newOrganization(t)
	if found, err := c.findCredential(t.Context(), a.ID, "shared"); err != nil || found.Password != token {
		t.Errorf("the only organization: %v, %v", found, err)
	}
	b := c.newOrganization(t)
	for _, o := range []account.Organization{a, b} {
		if _, err := c.findCredential(t.Context(), o.ID, "shared"); !fault.HasCode(err, "unknown_credential") ||
			!strings.Contains(public(err), "credentials.shared") {
			t.Errorf("one of two: %v", err)
		}
	}
	c.Config.CredentialsShared = []string{"shared=" + b.ID}
	if _, err := c.findCredential(t.Context(), b.ID, "shared"); err != nil {
		t.Errorf("a listed one: %v", err)
	}
	if _, err := c.findCredential(t.Context(), a.ID, "shared"); !fault.HasCode(err, "unknown_credential") {
		t.Errorf("one that is not listed: %v", err)
	}
}

// K9: secrets of an organization's credentials are redacted from its agents' records; secrets of other organizations
// are not.
func TestAgentsRedactTheirOrganizationsCredentials(t *testing.T) {
	c, _ := process(t, ownSettings(t), true)
	a, b := c.newOrganization(t), c.newOrganization(t)
	c.storeCredential(t, a.ID, "docs", "https://git.example.com")
	for organizationID, want := range map[string]bool{a.ID: true, b.ID: false} {
		if values, err := c.secretValues(t.Context(), organizationID); err != nil ||
			slices.Contains(values, token) != want {
			t.Errorf("%v: %v", values, err)
		}
	}
}

// Credentials survive a rotation of the secret key, even after the earlier key has been removed.
func TestSecretKeyRotationReencryptsCredentials(t *testing.T) {
	settings := ownSettings(t)
	c, _ := process(t, settings, true)
	a := c.newOrganization(t)
	c.storeCredential(t, a.ID, "docs", "https://git.example.com")
	settings.SecretKey, settings.SecretKeyPrevious = strings.Repeat("n", 32), []string{settings.SecretKey}
	if c, _ = process(t, settings, true); c == nil {
		t.Fatal("it did not start")
	}
	settings.SecretKeyPrevious = nil
	c, _ = process(t, settings, true)
	if found, err := c.findCredential(t.Context(), a.ID, "docs"); err != nil || found.Password != token {
		t.Errorf("after the change: %v, %v", found, err)
	}
}

// The client secrets of private sites survive a rotation of the secret key too.
func TestSecretKeyRotationReencryptsReaderSecrets(t *testing.T) {
	settings := ownSettings(t)
	c, _ := process(t, settings, true)
	list := []access.Provider{{Name: "main", Issuer: "https://id.example.com", ClientID: "docs", ClientSecret: token}}
	a := c.newOrganization(t)
	var p project.Project
	if err := c.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		if p, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: a.ID, Name: "docs",
			Domains: []string{"secret.localhost"},
			Source:  project.Source{Repository: "https://git.example.com/a.git"}}); err != nil {
			return err
		}
		_, err = tx.SetReaderAccess(t.Context(), access.Settings{ProjectID: p.ID, Mode: access.OIDC, Providers: list,
			Sealed: access.SealSecrets(c.Secrets.Current, rand.Reader, p.ID, list)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	settings.SecretKey, settings.SecretKeyPrevious = strings.Repeat("n", 32), []string{settings.SecretKey}
	process(t, settings, true)
	settings.SecretKeyPrevious = nil
	c, _ = process(t, settings, true)
	found, err := c.Store.FindReaderAccess(t.Context(), p.ID)
	if err == nil {
		_, err = found.OpenSecrets(c.Secrets.masters())
	}
	if err != nil || len(found.Providers) != 1 || found.Providers[0].ClientSecret != token {
		t.Errorf("after the change: %+v, %v", found, err)
	}
}
