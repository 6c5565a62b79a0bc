package github

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// App is a GitHub App with its private key. Its text form contains no secret.
type App struct {
	ID         string // its number or client id
	PrivateKey string // PEM, as downloaded from GitHub
}

// String identifies the App without its key (K9).
func (a App) String() string { return "GitHub App " + a.ID }

// GoString is like String, so that %#v does not show the key either.
func (a App) GoString() string { return a.String() }

// Check returns an error if the key is not usable.
func (a App) Check() error {
	_, err := a.key()
	return err
}

// key parses the private key. The parser's errors are not returned, because they could quote the key.
func (a App) key() (*rsa.PrivateKey, error) {
	bad := fault.New(fault.Invalid, "bad_credential", "The GitHub App's private key is not an RSA key in PEM.").
		WithHint("Use the file that GitHub offers for download when you generate a private key.")
	block, _ := pem.Decode([]byte(a.PrivateKey))
	if block == nil || a.ID == "" {
		return nil, bad
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if key, ok := parsed.(*rsa.PrivateKey); err == nil && ok {
		return key, nil
	}
	return nil, bad
}

const (
	clockSlack = time.Minute     // GitHub's clock may be behind ours
	proofLife  = 9 * time.Minute // GitHub accepts at most ten
)

// proof returns the JSON Web Token, signed with RS256, with which an App requests tokens.
func (a App) proof(now time.Time) (string, error) {
	key, err := a.key()
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"iat": now.Add(-clockSlack).Unix(), "exp": now.Add(proofLife).Unix(),
		"iss": a.ID})
	if err != nil {
		return "", fmt.Errorf("write claims: %w", err)
	}
	enc := base64.RawURLEncoding
	signed := enc.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + enc.EncodeToString(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil {
		return "", errors.New("sign with the GitHub App's key: it is too short")
	}
	return signed + "." + enc.EncodeToString(signature), nil
}

// issued is a token in GitHub's response.
type issued struct {
	Token     string
	ExpiresAt time.Time `json:"expires_at"`
}

// issue requests a token for one repository with only the necessary permissions.
func (a App) issue(ctx context.Context, p place, client *http.Client, now func() time.Time) (issued, error) {
	api := a.client(p.api, client, now)
	found, err := findInstallation(ctx, api, p.owner, p.name)
	if err != nil {
		return issued{}, err
	}
	rights := map[string]string{"metadata": "read"}
	if !p.hooks {
		rights["contents"] = "read"
	}
	if p.write {
		rights["contents"], rights["pull_requests"] = "write", "write"
	}
	if p.report {
		rights["statuses"], rights["pull_requests"] = "write", "write"
	}
	if p.hooks {
		rights["repository_hooks"] = "write"
	}
	if p.report {
		rights["checks"] = "write"
	}
	if p.talk {
		rights["pull_requests"], rights["issues"] = "write", "write"
	}
	in := map[string]any{"repositories": []string{p.name}, "permissions": rights}
	token, err := issueFor(ctx, api, found.ID, in)
	if p.report && rest.Status(err) == http.StatusUnprocessableEntity { // the App lacks the permission for checks: use statuses
		delete(rights, "checks")
		token, err = issueFor(ctx, api, found.ID, in)
	}
	if p.talk && rest.Status(err) == http.StatusUnprocessableEntity { // the App lacks the permission for issues: reply on pull requests only
		delete(rights, "issues")
		token, err = issueFor(ctx, api, found.ID, in)
	}
	if p.hooks && rest.Status(err) == http.StatusUnprocessableEntity {
		return token, fault.New(fault.Forbidden, "webhook_permission_missing",
			"The GitHub App may not manage the repository's webhooks.").WithHint(hooksNeed).WithCause(err)
	}
	return token, err
}

// client returns a client that authenticates as the App itself, which has no access to repositories.
func (a App) client(api string, client *http.Client, now func() time.Time) *rest.Client {
	return newClient(api, client, now, func(_ context.Context, r *http.Request) error {
		proof, err := a.proof(now())
		r.Header.Set("Authorization", "Bearer "+proof)
		return err
	})
}

// installation is an installation of an App in an account, for all or some of its repositories.
type installation struct {
	ID          int64
	Account     struct{ Login string }
	Permissions map[string]string
	SuspendedAt *time.Time `json:"suspended_at"`
}

// findInstallation returns the installation that includes a repository.
func findInstallation(ctx context.Context, api *rest.Client, owner, name string) (installation, error) {
	var found installation
	_, err := api.Do(ctx, rest.Call{Path: "/repos" + rest.Escape(owner, name) + "/installation", Out: &found})
	if rest.Status(err) == http.StatusNotFound {
		return found, fault.New(fault.NotFound, "forge_not_found",
			"The GitHub App is not installed on the repository, or the repository does not exist.").
			WithHint("Install the App for the repository in its owner's settings.").WithCause(err)
	}
	return found, err
}

// issueFor requests a token of an installation.
func issueFor(ctx context.Context, api *rest.Client, installationID int64, in map[string]any) (issued, error) {
	var token issued
	path := fmt.Sprintf("/app/installations/%d/access_tokens", installationID)
	if _, err := api.Do(ctx, rest.Call{Method: http.MethodPost, Path: path, In: in, Out: &token}); err != nil {
		return token, err
	}
	if token.Token == "" || token.ExpiresAt.IsZero() {
		return token, api.Unreadable("no token, or one without an end")
	}
	return token, nil
}
