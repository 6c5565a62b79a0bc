package sitepage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/access"
)

// readersForm is the form for reader access.
type readersForm struct {
	Mode     string // selected or stored mode
	Now      string // stored mode
	Sessions int64  // number of reader sessions
	Choices  []readersChoice
	Password shell.Input
	Provider []shell.Input // fields of one OpenID Connect provider
	Name     string        // name of that provider; "" = a new one
	SAML     []shell.Input // fields of one SAML provider
	Several  bool          // there are several providers, which can only be changed with the API
	Tokens   []shell.Input // fields for the site's own application
	Error    string        // error about the mode
	Example  string
	values   map[string]string // values of the fields, by name
}

type readersChoice struct {
	Value, Text string
	Chosen      bool
}

// modeWords describes the modes of reader access.
var modeWords = map[access.Mode]string{
	access.Public:       "Everybody",
	access.Password:     "Readers who know a password",
	access.Organization: "Members of this organization",
	access.OIDC:         "People whom an identity provider identifies (OpenID Connect)",
	access.SAML:         "People whom an identity provider identifies (SAML)",
	access.JWT:          "Users of your own application",
}

// readersOf returns the form with the stored values.
func readersOf(a client.ReaderAccess) readersForm {
	f := readersForm{Mode: a.Mode, Now: a.Mode, Sessions: a.ReaderSessions, Several: len(a.Providers) > 1,
		values: map[string]string{"provider.groupsClaim": "groups"}}
	if len(a.Providers) == 1 {
		p := a.Providers[0]
		f.values = map[string]string{"provider.name": p.Name, "provider.label": p.Label,
			"provider.scopes": strings.Join(p.Scopes, "\n"), "provider.issuer": p.Issuer,
			"provider.clientId": p.ClientID, "provider.groupsClaim": p.GroupsClaim,
			"provider.groups": strings.Join(p.Groups, "\n"), "provider.emailDomains": strings.Join(p.EmailDomains, "\n"),
			"provider.grantGroups": strings.Join(p.GrantGroups, "\n")}
		if a.Mode == string(access.SAML) {
			f.values = map[string]string{"provider.groupsClaim": "groups", "saml.label": p.Label,
				"saml.metadata": p.SAML.Metadata, "saml.metadataUrl": p.SAML.MetadataURL, "saml.entityId": p.SAML.EntityID,
				"saml.emailAttribute": p.SAML.EmailAttribute, "saml.nameAttribute": p.SAML.NameAttribute,
				"saml.groupsAttribute": p.SAML.GroupsAttribute,
				"saml.groups":          strings.Join(p.Groups, "\n"), "saml.emailDomains": strings.Join(p.EmailDomains, "\n"),
				"saml.grantGroups": strings.Join(p.GrantGroups, "\n")}
		}
	}
	if a.JWT != nil {
		f.values["jwt.loginUrl"], f.values["jwt.issuer"] = a.JWT.LoginURL, a.JWT.Issuer
		for _, k := range a.JWT.Keys {
			f.values["jwt.keys"] += k.PEM
		}
	}
	return f
}

// fill creates the fields of the form.
func (f *readersForm) fill(pageErr *shell.PageError) {
	for _, m := range access.Modes() {
		f.Choices = append(f.Choices, readersChoice{string(m), modeWords[m], string(m) == f.Mode})
	}
	f.Error, f.Name = pageErr.FieldError("mode"), f.values["provider.name"]
	input := func(name, label, hint string, rows int) shell.Input {
		return shell.Input{Name: name, Label: label, Value: f.values[name], Hint: hint, Rows: rows, Plain: true,
			Error: pageErr.FieldError(name)}
	}
	f.Password = input("password", "Password",
		"At least 12 characters. All readers share it; it is stored as a hash and not shown again.", 0)
	f.Provider = []shell.Input{
		input("provider.label", "Name on the button", "", 0),
		input("provider.issuer", "Issuer", "Such as https://id.example.com, exactly as the provider spells it. Register "+
			"the address /login/callback of each of the site's domains there.", 0),
		input("provider.clientId", "Client id", "", 0),
		input("provider.clientSecret", "Client secret", "Stored encrypted and not shown again. Empty: the stored one is kept, if "+
			"issuer and client id stay the same.", 0),
		input("provider.scopes", "Scopes", "One per line, in addition to openid, email and profile.", 2),
		input("provider.groupsClaim", "Claim with groups", "", 0),
		input("provider.groups", "Groups that may read the site", "One per line. Without groups and domains, everybody "+
			"whom the provider identifies may read it.", 3),
		input("provider.emailDomains", "E-mail domains that may read the site", "One per line.", 2),
		input("provider.grantGroups", "Groups that readers can get from the provider", "One per line. Empty: every group that the "+
			"provider names. They decide which pages for groups a reader sees.", 2),
	}
	f.SAML = []shell.Input{
		input("saml.label", "Name on the button", "", 0),
		input("saml.metadataUrl", "Address of the provider's metadata", "The site's own metadata is at "+
			"/login/saml/main/metadata of each of its domains.", 0),
		input("saml.metadata", "Or the metadata itself", "XML, as the provider offers it.", 4),
		input("saml.entityId", "Entity id of the site", "Empty: the address of the site's metadata.", 0),
		input("saml.emailAttribute", "Attribute with the e-mail address", "Empty: the usual names, such as email.", 0),
		input("saml.nameAttribute", "Attribute with the name", "Empty: the usual names, such as displayName.", 0),
		input("saml.groupsAttribute", "Attribute with groups", "Empty: the usual names, such as groups.", 0),
		input("saml.groups", "Groups that may read the site", "One per line. Without groups and domains, everybody "+
			"whom the provider identifies may read it.", 3),
		input("saml.emailDomains", "E-mail domains that may read the site", "One per line.", 2),
		input("saml.grantGroups", "Groups that readers can get from the provider", "One per line. Empty: every group that the "+
			"provider names. They decide which pages for groups a reader sees.", 2),
	}
	f.Provider[1].Error, f.SAML[1].Error = pageErr.FieldError("providers"), pageErr.FieldError("providers")
	f.Tokens = []shell.Input{
		input("jwt.loginUrl", "Address of your application", "Where the sign-in page leads readers.", 0),
		input("jwt.issuer", "Issuer", "Required value of iss in tokens. Empty: any value.", 0),
		input("jwt.keys", "Public keys", "In PEM form, one after the other: Ed25519, P-256 or RSA.", 6),
	}
	f.Example = shell.Body(map[string]any{"mode": "password", "password": "…"})
}

// readReaders parses the form, using only the fields of the selected mode.
func readReaders(v *shell.Visit) (in client.SetReaderAccess, f readersForm) {
	in.Mode = v.Field("mode")
	f.Mode, f.values = in.Mode, map[string]string{}
	for name := range v.Form {
		if name != "password" && name != "provider.clientSecret" {
			f.values[name] = v.Form.Get(name)
		}
	}
	switch access.Mode(in.Mode) {
	case access.Password:
		in.Password = v.Form.Get("password") // surrounding spaces may be intended
	case access.OIDC:
		in.Providers = []client.ReaderProvider{{Name: cmp.Or(v.Field("provider.name"), "main"),
			Scopes: shell.Lines(v.Form.Get("provider.scopes")), Label: v.Field("provider.label"),
			Issuer: v.Field("provider.issuer"), ClientID: v.Field("provider.clientId"),
			ClientSecret: v.Field("provider.clientSecret"), GroupsClaim: v.Field("provider.groupsClaim"),
			Groups: shell.Lines(v.Form.Get("provider.groups")), EmailDomains: shell.Lines(v.Form.Get("provider.emailDomains")),
			GrantGroups: shell.Lines(v.Form.Get("provider.grantGroups"))}}
	case access.SAML:
		in.Providers = []client.ReaderProvider{{Name: "main", Label: v.Field("saml.label"),
			SAML: client.ReaderSAML{Metadata: v.Field("saml.metadata"), MetadataURL: v.Field("saml.metadataUrl"),
				EntityID: v.Field("saml.entityId"), EmailAttribute: v.Field("saml.emailAttribute"),
				NameAttribute: v.Field("saml.nameAttribute"), GroupsAttribute: v.Field("saml.groupsAttribute")},
			Groups: shell.Lines(v.Form.Get("saml.groups")), EmailDomains: shell.Lines(v.Form.Get("saml.emailDomains")),
			GrantGroups: shell.Lines(v.Form.Get("saml.grantGroups"))}}
	case access.JWT:
		in.JWT = client.ReaderTokens{LoginURL: v.Field("jwt.loginUrl"), Issuer: v.Field("jwt.issuer"),
			Keys: []client.ReaderTokenKey{}}
		for _, part := range strings.SplitAfter(v.Form.Get("jwt.keys"), "-----END PUBLIC KEY-----") {
			if strings.TrimSpace(part) != "" {
				in.JWT.Keys = append(in.JWT.Keys, client.ReaderTokenKey{PEM: part})
			}
		}
	}
	return in, f
}

func setReaders(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	in, f := readReaders(v)
	if len(in.Providers) == 1 && in.Providers[0].ClientSecret == "" {
		if in.Providers[0].KeepClientSecret, err = isStored(v, p.ProjectID, in.Providers[0]); err != nil {
			return err
		}
	}
	if _, err = v.API.SetReaderAccess(v.Ctx(), p.ProjectID, in); err == nil {
		return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "readers-saved")
	}
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	found, err := v.API.GetReaderAccess(v.Ctx(), p.ProjectID)
	if err != nil {
		return err
	}
	f.Now, f.Sessions, f.Several = found.Mode, found.ReaderSessions, len(found.Providers) > 1
	return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{ReadersError: pageErr, Readers: f})
}

// isStored reports whether a provider equals the stored one, so that its secret can be kept.
func isStored(v *shell.Visit, projectID string, p client.ReaderProvider) (bool, error) {
	found, err := v.API.GetReaderAccess(v.Ctx(), projectID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(found.Providers, func(old client.ReaderProvider) bool {
		return old.Name == p.Name && old.Issuer == p.Issuer && old.ClientID == p.ClientID
	}), nil
}

func signReadersOut(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	if err := v.API.EndReaderSessions(v.Ctx(), projectID); err != nil {
		return err
	}
	return v.Done(shell.ProjectPath(projectID, "/settings"), "readers-signed-out")
}
