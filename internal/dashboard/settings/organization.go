package settings

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// organizationPage is the data of the page with the plan and the features.
type organizationPage struct {
	FormError    *shell.PageError // error of the submitted form; nil = none
	Organization *client.Organization
	Name         string // value in the form
	Deployment   *client.Deployment
	Features     []featureRow
	Plans        []planRow
	Example      string
	Leave        string // id of the member viewing the page, if they may not see the members page; "" = they may
}

// FieldErrors returns the errors of the form's fields, by name.
func (p organizationPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// PlanNames lists the plans, smallest first.
func (organizationPage) PlanNames() []string {
	return []string{string(account.PlanFree), string(account.PlanPro), string(account.PlanEnterprise)}
}

// featureRow is a feature with its name in the API.
type featureRow struct {
	Name string
	client.Feature
}

// planRow is a function with the plans that include it.
type planRow struct {
	What  string
	Plans map[string]bool
}

func organization(b *shell.Board, v *shell.Visit) error {
	return showOrganization(v, http.StatusOK, organizationPage{})
}

func renameOrganization(b *shell.Board, v *shell.Visit) error {
	name := v.Field("name")
	_, err := v.API.RenameOrganization(v.Ctx(), client.RenameOrganization{Name: name})
	if err == nil {
		return v.Done(organizationPath, "renamed")
	}
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	return showOrganization(v, pageErr.Status, organizationPage{FormError: pageErr, Name: name})
}

// showOrganization loads the remaining data and shows the page.
func showOrganization(v *shell.Visit, status int, page organizationPage) (err error) {
	if !v.InOrganization(shell.Viewer) {
		page.Leave = v.Membership.Member.ID
	}
	if page.Organization, err = v.API.GetOrganization(v.Ctx()); err != nil {
		return err
	}
	if page.Deployment, err = v.API.GetDeployment(v.Ctx()); err != nil {
		return err
	}
	if page.FormError == nil {
		page.Name = page.Organization.Name
	}
	page.Features, page.Plans = featureRows(page.Deployment.Features), planRows()
	page.Example = shell.Body(map[string]string{"name": page.Organization.Name})
	return v.Show(status, "organization", shell.Frame{Title: "Plan and features", Section: "organization"}, page)
}

func featureRows(f client.DeploymentFeatures) []featureRow {
	return []featureRow{{"search", f.Search}, {"assistant", f.Assistant}, {"analytics", f.Analytics},
		{"playground", f.Playground}, {"staticExport", f.StaticExport}}
}

// planRows returns the functions that depend on the plan, and a summary of the others; a test compares them with the
// API's routes.
func planRows() []planRow {
	all := map[string]bool{string(account.PlanFree): true, string(account.PlanPro): true,
		string(account.PlanEnterprise): true}
	return []planRow{
		{"Projects, sites, previews and roll-backs", all},
		{"Agent jobs and proposals", all},
		{"API keys, members, roles and the audit log", all},
		{"Static exports and their bundles", map[string]bool{string(account.PlanEnterprise): true}},
	}
}
