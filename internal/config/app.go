package config

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/forge"
)

// appForm is how a GitHub App is written down as a credential.
//
//	{"githubApp": "123456", "privateKeyFile": "app.pem", "url": "https://github.com/acme"}
type appForm struct {
	GitHubApp      json.RawMessage `json:"githubApp"`      // the App's id, as a number or a text, or its client id
	PrivateKey     string          `json:"privateKey"`     // PEM
	PrivateKeyFile string          `json:"privateKeyFile"` // or its file, relative to the credentials folder
	URL            string          `json:"url"`            // only repositories at or below it may be opened
}

// apiSuffix ends the name of the credential that speaks with a code host's API where an SSH key opens the repository.
const apiSuffix = "-api"

// FindForAPI reads the credential that may open pull requests on a repository: the named one, or, if that is an SSH key, the one whose name
// ends in -api.
func (c Credentials) FindForAPI(name, repository string) (Credential, error) {
	found, err := c.Find(name)
	if err == nil && found.SSHKeyFile != "" {
		found, err = c.Find(name + apiSuffix)
		if fault.HasCode(err, "unknown_credential") {
			return Credential{}, fault.New(fault.Invalid, "missing_credential", "The project's credential is an SSH key, which opens no pull requests.").
				WithField("source.credential").WithHint("The server's operator sets up a token under the name " + name + apiSuffix + " beside it.")
		}
	}
	if err != nil {
		return Credential{}, err
	}
	at, err := forge.ParseRepository(repository)
	if err != nil {
		return Credential{}, err
	}
	if !found.Covers(at.Web()) {
		return Credential{}, fault.Newf(fault.Forbidden, "credential_not_for_repository", "The credential %q is not for this repository.", found.Name).
			WithField("source.credential").WithHint("The server's operator sets up which repositories a credential is for.")
	}
	return found, nil
}

// parseApp reads the credential of a GitHub App. What is wrong with it is told without its text.
func (c Credentials) parseApp(name, value string) (Credential, error) {
	bad := func(what string) (Credential, error) {
		return Credential{}, fault.Newf(fault.Invalid, "bad_credential", "The credential %q describes no GitHub App: %s.", name, what).WithField("credential").
			WithHint(`It looks like {"githubApp": "123456", "privateKeyFile": "app.pem", "url": "https://github.com/acme"}.`)
	}
	var form appForm
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&form) != nil || decoder.More() {
		return bad("it is not the JSON that is expected")
	}
	base, err := url.Parse(form.URL)
	if err != nil || base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return bad("url is not an https address")
	}
	if (form.PrivateKey == "") == (form.PrivateKeyFile == "") {
		return bad("one of privateKey and privateKeyFile must be given")
	}
	if form.PrivateKeyFile != "" {
		file := form.PrivateKeyFile
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.dir, file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return Credential{}, fault.Newf(fault.Internal, "unreadable_credential", "The credential %q cannot be read.", name).WithCause(err)
		}
		form.PrivateKey = string(data)
	}
	app := forge.App{ID: strings.Trim(string(form.GitHubApp), `"`), PrivateKey: form.PrivateKey}
	if !credentialApp.MatchString(app.ID) {
		return bad("githubApp is not an App's id")
	}
	if app.Check() != nil {
		return bad("the private key is not an RSA key in PEM")
	}
	where := url.URL{Scheme: "https", Host: strings.ToLower(base.Host), Path: strings.TrimRight(base.Path, "/")}
	return Credential{Name: name, BaseURL: where.String(), App: &app}, nil
}
