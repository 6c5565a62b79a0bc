package githubapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// Life is how long a user may take on GitHub. GitHub's own code has the same lifetime.
const Life = time.Hour

// Flow creates Apps. All fields are required.
type Flow struct {
	Hosts   forge.Hosts
	Masters [][]byte // the server's master key, then earlier ones that are still valid
	Rand    io.Reader
	Now     func() time.Time
	// Once records the use of a key, and reports whether it is the first use within a period.
	Once func(ctx context.Context, key string, within time.Duration) (bool, error)
}

// Person is the creator of an App and their organization.
type Person struct{ OrganizationID, MemberID string }

func (p Person) owner() string { return p.OrganizationID + " " + p.MemberID }

// Request describes the App to create.
type Request struct {
	Name  string `json:"name"`            // name of the new credential
	URL   string `json:"url"`             // URL of GitHub or of a GitHub Enterprise server
	Owner string `json:"owner,omitempty"` // GitHub account that will own the App; "" = the person's own
}

// Form is the form that the person's browser posts to GitHub.
type Form struct {
	Action   string // URL on GitHub, including the state
	Origin   string // GitHub's origin, for the page's content security policy
	Manifest string // JSON
}

// state is sent to GitHub and returned by it.
type state struct {
	Request
	Nonce string    `json:"nonce"`
	Until time.Time `json:"until"`
}

const purpose = "lectern github app"

var (
	ownerName  = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9-]{0,38})$`)
	serverName = lazyregexp.New(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$`)
)

// clean validates a request and normalizes its URL.
func (f *Flow) clean(r Request) (Request, *url.URL, error) {
	if !credential.ValidName(r.Name) {
		return r, nil, fault.New(fault.Invalid, "invalid_field",
			"name must have 1 to 63 lower-case letters, digits, dashes and underscores, and start with a letter or digit.").
			WithField("name")
	}
	if r.Owner != "" && !ownerName.MatchString(r.Owner) {
		return r, nil, fault.New(fault.Invalid, "invalid_field", "owner is not the name of an account on GitHub.").
			WithField("owner")
	}
	u, err := url.Parse(strings.TrimRight(r.URL, "/"))
	if err != nil || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" ||
		!serverName.MatchString(strings.ToLower(u.Host)) || u.Scheme != "https" && !(u.Scheme == "http" && f.Hosts.Trusts(u.Hostname())) {
		return r, nil, forge.NotGitHub()
	}
	u.Host = strings.ToLower(u.Host)
	if kind, err := f.Hosts.KindAt(u.String()); err != nil || kind != forge.GitHub {
		return r, nil, forge.NotGitHub()
	}
	r.URL = u.String()
	return r, u, nil
}

// Begin returns the form for GitHub. base is this server's URL, and back is the path to which GitHub redirects the
// browser with a code and the state.
func (f *Flow) Begin(p Person, r Request, base, back string) (Form, error) {
	r, u, err := f.clean(r)
	if err != nil {
		return Form{}, err
	}
	sealed, err := f.seal(p, state{Request: r, Until: f.Now().Add(Life)})
	if err != nil {
		return Form{}, err
	}
	manifest, err := json.Marshal(map[string]any{
		"name": clip.Bytes("Lectern "+r.Name, 34), "url": base, "redirect_url": base + back, "setup_url": base + setupPath,
		"public": false,
		// Webhooks are installed for each repository, so the App itself needs none.
		"default_permissions": map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
			"statuses": "write", "checks": "write", "repository_hooks": "write"},
	})
	if err != nil {
		return Form{}, fmt.Errorf("write manifest: %w", err)
	}
	at := "/settings/apps/new"
	if r.Owner != "" {
		at = "/organizations/" + url.PathEscape(r.Owner) + at
	}
	return Form{Action: r.URL + at + "?" + url.Values{"state": {sealed}}.Encode(), Origin: u.Scheme + "://" + u.Host,
		Manifest: string(manifest)}, nil
}

// seal adds a nonce to a state and encrypts it for the person.
func (f *Flow) seal(p Person, s state) (string, error) {
	nonce := make([]byte, 16)
	if _, err := io.ReadFull(f.Rand, nonce); err != nil {
		return "", fmt.Errorf("read randomness: %w", err)
	}
	s.Nonce = fmt.Sprintf("%x", nonce)
	return sealbox.Seal(f.Masters[0], f.Rand, purpose, p.owner(), s), nil
}

// setupPath is where GitHub redirects people after they have installed the App.
const setupPath = "/dashboard/projects/new"

// Made is a new App.
type Made struct {
	Request
	forge.CreatedApp
	InstallURL string // where people choose its repositories; "" if GitHub returned no URL
	// Again is a new state for the same code, if GitHub was unavailable; "" = a retry cannot help.
	Again string
}

// Finish exchanges GitHub's code for the App. A state is accepted once, and only from the person who began.
func (f *Flow) Finish(ctx context.Context, p Person, sealed, code string) (Made, error) {
	var s state
	if _, ok := sealbox.Open(f.Masters, purpose, p.owner(), sealed, &s); !ok || !f.Now().Before(s.Until) ||
		code == "" || len(code) > 200 {
		return Made{}, badState()
	}
	fresh, err := f.Once(ctx, s.Nonce, Life)
	if err != nil {
		return Made{}, err
	}
	if !fresh {
		return Made{}, badState()
	}
	created, err := f.Hosts.ConvertApp(ctx, s.URL, code)
	if fault.Is(err, fault.Unavailable) { // the code is still valid
		again, sealing := f.seal(p, s)
		return Made{Request: s.Request, Again: again}, errors.Join(err, sealing)
	}
	if err != nil {
		return Made{}, err
	}
	out := Made{Request: s.Request, CreatedApp: created}
	if strings.HasPrefix(created.Page, s.URL+"/") {
		out.InstallURL = created.Page + "/installations/new"
	}
	return out, nil
}

func badState() error {
	return fault.New(fault.Invalid, "bad_app_state",
		"This response from GitHub was already used, has expired, or was meant for another user.").
		WithHint("Start again on the Credentials page. If GitHub has created an App, delete it there.")
}
