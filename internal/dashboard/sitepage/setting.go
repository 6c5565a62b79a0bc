package sitepage

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// settingsPage is the data of a project's settings.
type settingsPage struct {
	Pulls         string           // which pull requests get previews
	FormError     *shell.PageError // error of the main form
	DomainError   *shell.PageError // error of a domain check
	ReadersError  *shell.PageError // error of the reader access form
	DeleteError   *shell.PageError
	HookError     *shell.PageError // error of installing the webhook
	MembersError  *shell.PageError // error of the project roles form
	Members       membersPart
	Readers       readersForm
	Project       client.Project
	Tabs          []shell.Tab
	Name, Domains shell.Input
	Source        sourceFields
	Confirm       shell.Input
	Hook          hook
	Example       string
}

func projectSettings(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	return showSettings(v, http.StatusOK, *p, formOf(*p), settingsPage{})
}

// formOf returns the form with the stored values.
func formOf(p client.Project) projectForm {
	f := projectForm{Name: p.Name, Domains: strings.Join(p.Domains, "\n"), Kind: "git",
		Repository: shell.Text(p.Source.Repository), Branch: shell.Text(p.Source.Branch),
		Credential: shell.Text(p.Source.Credential), Path: shell.Text(p.Source.Path), DocsFolder: p.DocsFolder,
		Pulls: string(p.PullRequestPreviews)}
	if p.Source.Path != nil {
		f.Kind = "folder"
	}
	return f
}

func showSettings(v *shell.Visit, status int, p client.Project, f projectForm, data settingsPage) error {
	pageErr := data.FormError
	data.Project, data.Tabs, data.Name, data.Source, data.Hook = p, shell.ProjectTabs(v, p.ProjectID, "Settings"),
		f.name(pageErr), f.fields(pageErr), hookOf(p)
	data.Domains = shell.Input{Name: "domains", Label: "Domains", Value: f.Domains, Error: pageErr.FieldError("domains"),
		Rows:     3,
		Required: true, Plain: true,
		Hint: "One per line: docs.example.com, or example.com/docs below a path of a host that another server has. The first is the primary domain, used in canonical links and the sitemap; the others show the same site or, with another path, redirect to it."}
	data.Pulls = f.Pulls
	data.Confirm = shell.Input{Name: "confirm", Label: "Type the project's name to confirm",
		Error: data.DeleteError.FieldError("confirm"), Required: true, Plain: true}
	if data.ReadersError == nil {
		found, err := v.API.GetReaderAccess(v.Ctx(), p.ProjectID)
		if err != nil {
			return err
		}
		data.Readers = readersOf(*found)
	}
	data.Readers.fill(data.ReadersError)
	var err error
	if data.Members, err = findMembers(v, p.ProjectID); err != nil {
		return err
	}
	data.Example = shell.Body(map[string]any{"name": p.Name, "domains": p.Domains})
	return v.Show(status, "projectsettings", shell.Frame{Title: "Settings of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID)}, data)
}

func changeProject(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	f := readProjectForm(v)
	if !v.InOrganization(shell.Admin) { // the form has no fields for the source
		f.keepSource(formOf(*p))
	}
	in, changed, err := f.change(*p)
	if err == nil && !changed {
		return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "nothing-changed")
	}
	if err == nil {
		_, err = v.API.UpdateProject(v.Ctx(), p.ProjectID, in)
	}
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil {
			return showSettings(v, pageErr.Status, *p, f, settingsPage{FormError: pageErr})
		}
		return err
	}
	return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "project-saved")
}

// change returns only the changed fields, so that the audit log contains no others.
func (f projectForm) change(p client.Project) (in client.UpdateProject, changed bool, err error) {
	old := formOf(p)
	if f.Name != old.Name {
		in.Name, changed = &f.Name, true
	}
	if f.DocsFolder != old.DocsFolder {
		in.DocsFolder, changed = &f.DocsFolder, true
	}
	if pulls := client.PullRequestPreviews(f.Pulls); f.Pulls != "" && f.Pulls != old.Pulls {
		in.PullRequestPreviews, changed = &pulls, true
	}
	if s := f.source(); s != old.source() {
		in.Source, changed = &s, true
	}
	if list := shell.Lines(f.Domains); !slices.Equal(list, p.Domains) {
		in.Domains, changed = list, true
		if len(list) == 0 { // the API would treat this as unchanged
			err = fault.New(fault.Invalid, "invalid_field", "A project must have at least one domain.").
				WithField("domains")
		}
	}
	return in, changed, err
}

// keepSource copies the source from another form.
func (f *projectForm) keepSource(from projectForm) {
	f.Kind, f.Repository, f.Branch, f.Credential, f.Path = from.Kind, from.Repository, from.Branch, from.Credential,
		from.Path
}

// verifyDomain checks the proof of a pending domain.
func verifyDomain(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	name := v.Field("domain")
	if slices.Contains(p.Domains, name) {
		_, err = v.API.VerifyDomain(v.Ctx(), name)
	} else {
		err = fault.New(fault.Invalid, "invalid_field", "The project does not have this domain.").WithField("domain")
	}
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil {
			return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{DomainError: pageErr})
		}
		return err
	}
	return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "domain-proven")
}

// rotateHook creates a new webhook secret, which the response shows once.
func rotateHook(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.UpdateProject(v.Ctx(), v.R.PathValue("projectId"), client.UpdateProject{RotateWebhookSecret: true})
	if err != nil {
		return err
	}
	return showSettings(v, http.StatusOK, *p, formOf(*p), settingsPage{})
}

// installHook installs the webhook at the project's code host.
func installHook(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	if _, err := v.API.InstallWebhook(v.Ctx(), p.ProjectID); err != nil {
		pageErr := shell.NewPageError(err) // a busy code host is not an error of this server
		if pageErr.Status == http.StatusUnauthorized {
			return err
		}
		return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{HookError: &pageErr})
	}
	return v.Done(shell.ProjectPath(p.ProjectID, "/settings"), "hook-installed")
}

func deleteProject(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	if v.Field("confirm") != p.Name {
		pageErr := shell.NewPageError(fault.New(fault.Invalid, "not_confirmed",
			"That is not the project's name. Nothing was deleted.").WithField("confirm"))
		return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{DeleteError: &pageErr})
	}
	if err := v.API.DeleteProject(v.Ctx(), p.ProjectID); err != nil {
		return err
	}
	return v.Done(shell.ProjectsPath, "project-deleted")
}
