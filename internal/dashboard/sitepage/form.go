package sitepage

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// projectForm is what a person typed about a project. Fields are named as the API names them.
type projectForm struct {
	Name, Domain, Domains          string // Domain of a new project, Domains of one that is there, one on each line
	Kind                           string // git or folder: which of the two groups of fields counts
	Repository, Branch, Credential string
	Path                           string
	DocsFolder                     string
	Pulls                          string // which pull requests get previews; "" = as before
	Install                        bool   // whether to install the webhook of a new project
}

func readProjectForm(v *shell.Visit) projectForm {
	return projectForm{Name: v.Field("name"), Domain: v.Field("domain"), Domains: v.Form.Get("domains"),
		Kind:       v.Field("kind"),
		Repository: v.Field("source.repository"), Branch: v.Field("source.branch"),
		Credential: v.Field("source.credential"), Path: v.Field("source.path"), DocsFolder: v.Field("docsFolder"),
		Pulls: v.Field("pullRequestPreviews"), Install: v.Field("installWebhook") == "yes"}
}

// source returns the source that the form asks for; what belongs to the other kind is left out.
func (f projectForm) source() client.SourceInput {
	if f.Kind == "folder" {
		return client.SourceInput{Path: f.Path}
	}
	return client.SourceInput{Repository: f.Repository, Branch: f.Branch, Credential: f.Credential}
}

// sourceFields are the fields about a source, for the template of that name.
type sourceFields struct {
	Kind                           string
	Error                          string // about the source as a whole
	Repository, Branch, Credential shell.Input
	Path                           shell.Input
	DocsFolder                     shell.Input
}

// fields returns the form's fields about the source, with what t, which may be nil, has against them.
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

// newPage is the form for a new project.
type newPage struct {
	FormError    *shell.PageError
	Name, Domain shell.Input
	Source       sourceFields
	Example      string
	Picker       picker
	Install      bool // whether the box about the webhook is ticked
}

// newProject shows the form. The address can say what it begins with, as the links of the picker do.
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

// hook is how a code host reports pushes.
type hook struct {
	URL    string
	Secret string // "" = it is not shown now
	Wanted bool   // whether the source is at a code host at all
	Near   bool   // the address is one that a code host elsewhere cannot reach
	Hosts  []codeHost
	// Installation says how the installation by this server went; nil = it was not tried now.
	Installation *client.WebhookInstallation
	Credential   bool // whether the source has a credential, with which the webhook can be installed
}

// codeHost is how a webhook is entered at one kind of code host.
type codeHost struct {
	forge.WebhookSetup
	Open bool // whether the repository seems to be there
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
