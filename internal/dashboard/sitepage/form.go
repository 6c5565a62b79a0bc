package sitepage

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// projectForm contains the user's input for a project. Fields are named as in the API.
type projectForm struct {
	Name, Domain, Domains          string // Domain of a new project; Domains of an existing one, one per line
	Kind                           string // git or folder: selects the group of fields that applies
	Repository, Branch, Credential string
	Path                           string
	DocsFolder                     string
	Pulls                          string // which pull requests get previews; "" = unchanged
	Install                        bool   // whether to install the webhook of a new project
}

func readProjectForm(v *shell.Visit) projectForm {
	return projectForm{Name: v.Field("name"), Domain: v.Field("domain"), Domains: v.Form.Get("domains"),
		Kind:       v.Field("kind"),
		Repository: v.Field("source.repository"), Branch: v.Field("source.branch"),
		Credential: v.Field("source.credential"), Path: v.Field("source.path"), DocsFolder: v.Field("docsFolder"),
		Pulls: v.Field("pullRequestPreviews"), Install: v.Field("installWebhook") == "yes"}
}

// source returns the source in the form; fields of the other kind are ignored.
func (f projectForm) source() client.SourceInput {
	if f.Kind == "folder" {
		return client.SourceInput{Path: f.Path}
	}
	return client.SourceInput{Repository: f.Repository, Branch: f.Branch, Credential: f.Credential}
}

// sourceFields contains the fields for a source, see the template of that name.
type sourceFields struct {
	Kind                           string
	Error                          string // error about the source as a whole
	Repository, Branch, Credential shell.Input
	Path                           shell.Input
	DocsFolder                     shell.Input
}

// fields returns the form's fields for the source, with the errors in pageErr, which may be nil.
func (f projectForm) fields(pageErr *shell.PageError) sourceFields {
	kind := f.Kind
	if kind != "folder" {
		kind = "git"
	}
	field := func(name, label, value, placeholder, hint string) shell.Input {
		return shell.Input{Name: name, Label: label, Value: value, Error: pageErr.FieldError(name), Placeholder: placeholder,
			Hint: hint, Plain: true}
	}
	return sourceFields{Kind: kind, Error: pageErr.FieldError("source"),
		Repository: field("source.repository", "Repository", f.Repository, "https://github.com/team/docs.git",
			"Over https or ssh, without a password; use a credential below."),
		Branch: field("source.branch", "Branch", f.Branch, "main", "Empty: the repository's default branch."),
		Credential: field("source.credential", "Credential", f.Credential, "",
			"Name of a credential, for a private repository. Empty: none."),
		Path: field("source.path", "Folder on the server", f.Path, "/srv/docs",
			"An absolute path. The server must allow local sources."),
		DocsFolder: field("docsFolder", "Docs folder", f.DocsFolder, "docs",
			"Folder with docs.json, relative to the source's root. Empty: the root itself."),
	}
}

func (f projectForm) name(pageErr *shell.PageError) shell.Input {
	return shell.Input{Name: "name", Label: "Name", Value: f.Name, Error: pageErr.FieldError("name"),
		Hint:     "Example: Acme docs.",
		Required: true}
}

// newPage is the data of the page for a new project.
type newPage struct {
	FormError    *shell.PageError
	Name, Domain shell.Input
	Source       sourceFields
	Example      string
	Picker       picker
	Install      bool // whether the checkbox for the webhook is selected
}

// newProject shows the form. The URL can prefill it, for example in the picker's links.
func newProject(b *shell.Board, v *shell.Visit) error {
	f := projectForm{Repository: v.Query("repository"), Branch: v.Query("branch"), Install: true}
	if f.Repository != "" {
		f.Name = shortName(f.Repository)
	}
	return showNew(v, http.StatusOK, nil, f)
}

func showNew(v *shell.Visit, status int, pageErr *shell.PageError, f projectForm) error {
	pick, err := findPicker(v)
	if err != nil {
		return err
	}
	if f.Credential == "" && f.Repository != "" && v.R.Method == http.MethodGet {
		f.Credential = pick.name()
	}
	data := newPage{Picker: pick, Install: f.Install, FormError: pageErr, Name: f.name(pageErr), Source: f.fields(pageErr), Example: exampleProject,
		Domain: shell.Input{Name: "domain", Label: "Domain", Value: f.Domain, Error: pageErr.FieldError("domain"),
			Placeholder: "docs.example.com", Required: true, Plain: true,
			Hint: "The host name of the site. Point it at this server. On your own machine, docs.localhost works without setup."}}
	return v.Show(status, "projectnew", shell.Frame{Title: "Add a project", Section: "projects",
		Crumbs: []shell.Crumb{{Text: "Projects", Path: shell.ProjectsPath}}}, data)
}

func createProject(b *shell.Board, v *shell.Visit) error {
	f := readProjectForm(v)
	p, err := v.API.CreateProject(v.Ctx(),
		client.CreateProject{Name: f.Name, Domain: f.Domain, Source: f.source(), DocsFolder: f.DocsFolder,
			InstallWebhook: f.Install && f.Kind != "folder" && f.Credential != ""})
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil {
			return showNew(v, pageErr.Status, pageErr, f)
		}
		return err
	}
	data := struct {
		Project ProjectRow
		Hook    hook
	}{ProjectRow{*p, sourceWords(*p)}, hookOf(*p)}
	return v.Show(http.StatusOK, "projectmade", shell.Frame{Title: p.Name + " is added", Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID)}, data)
}

// hook contains the data for a webhook at a code host.
type hook struct {
	URL    string
	Secret string // "" = not shown now
	Wanted bool   // whether the source is on a code host
	Near   bool   // the URL points to this machine, so a remote code host cannot reach it
	Hosts  []codeHost
	// Installation is the result of the installation by this server; nil = not attempted now.
	Installation *client.WebhookInstallation
	Credential   bool // whether the source has a credential that can install the webhook
}

// codeHost describes how to set up a webhook at one kind of code host.
type codeHost struct {
	forge.WebhookSetup
	Open bool // whether the repository seems to be on such a host
}

func hookOf(p client.Project) hook {
	repository, host := shell.Text(p.Source.Repository), shell.HostOf(p.Webhook.URL)
	h := hook{URL: p.Webhook.URL, Secret: shell.Text(p.WebhookSecret),
		Wanted:       p.SourceKind == client.ProjectSourceKindRepository,
		Installation: p.Webhook.Installation, Credential: shell.Text(p.Source.Credential) != "",
		Near: host == "localhost" || host == "127.0.0.1" || host == "::1"}
	for _, s := range forge.WebhookSetups() {
		h.Hosts = append(h.Hosts, codeHost{s, strings.Contains(strings.ToLower(repository), string(s.Kind))})
	}
	return h
}
