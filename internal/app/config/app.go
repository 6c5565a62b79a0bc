package config

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// appForm is the format of a credential for a GitHub App.
//
//	{"githubApp": "123456", "privateKeyFile": "app.pem", "url": "https://github.com/acme"}
type appForm struct {
	GitHubApp      json.RawMessage `json:"githubApp"`      // the App's id, as a number or a string, or its client id
	PrivateKey     string          `json:"privateKey"`     // PEM
	PrivateKeyFile string          `json:"privateKeyFile"` // or its file, relative to the credentials folder
	URL            string          `json:"url"`            // permits only repositories at or below it
}

// parseApp parses the credential of a GitHub App. Errors do not contain its text.
func (c Credentials) parseApp(name, value string) (credential.Credential, error) {
	bad := func(what string) (credential.Credential, error) {
		return credential.Credential{}, fault.Newf(fault.Invalid, "bad_credential",
			"The credential %q is not a valid GitHub App: %s.", name, what).WithField("credential").
			WithHint(`Example: {"githubApp": "123456", "privateKeyFile": "app.pem", "url": "https://github.com/acme"}.`)
	}
	var form appForm
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&form) != nil || decoder.More() {
		return bad("it does not have the expected JSON format")
	}
	base, err := url.Parse(form.URL)
	if err != nil || base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" ||
		base.Fragment != "" {
		return bad("url is not an https address")
	}
	if (form.PrivateKey == "") == (form.PrivateKeyFile == "") {
		return bad("exactly one of privateKey and privateKeyFile must be set")
	}
	if form.PrivateKeyFile != "" {
		file := form.PrivateKeyFile
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.dir, file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return credential.Credential{}, fault.Newf(fault.Internal, "unreadable_credential",
				"The credential %q cannot be read.", name).WithCause(err)
		}
		form.PrivateKey = string(data)
	}
	app := forge.App{ID: strings.Trim(string(form.GitHubApp), `"`), PrivateKey: form.PrivateKey}
	if !credential.ValidApp(app.ID) {
		return bad("githubApp is not an App's id")
	}
	if app.Check() != nil {
		return bad("the private key is not an RSA key in PEM")
	}
	where := url.URL{Scheme: "https", Host: strings.ToLower(base.Host), Path: strings.TrimRight(base.Path, "/")}
	return credential.Credential{Name: name, BaseURL: where.String(), App: &app}, nil
}
