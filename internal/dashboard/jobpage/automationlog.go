package jobpage

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// automationPage is the data of one automation's page.
type automationPage struct {
	automationFields
	Automation automationRow
	List       shell.Listing[client.AutomationRun]
}

func automationIDs(v *shell.Visit) (projectID, automationID string) {
	return v.R.PathValue("projectId"), v.R.PathValue("automationId")
}

func automationPath(v *shell.Visit) string {
	projectID, automationID := automationIDs(v)
	return automationsPath(projectID) + "/" + url.PathEscape(automationID)
}

func showAutomation(_ *shell.Board, v *shell.Visit) error {
	return sendAutomation(v, http.StatusOK, automationPage{})
}

// backToAutomation redirects from the URL of a form response, which cannot be opened again.
func backToAutomation(_ *shell.Board, v *shell.Visit) error {
	projectID, automationID := automationIDs(v)
	if _, err := v.API.GetAutomation(v.Ctx(), projectID, automationID); err != nil {
		return err
	}
	return v.Done(automationPath(v), "")
}

// sendAutomation loads the remaining data and shows the page.
func sendAutomation(v *shell.Visit, status int, page automationPage) error {
	projectID, automationID := automationIDs(v)
	a, err := v.API.GetAutomation(v.Ctx(), projectID, automationID)
	if err != nil {
		return err
	}
	p, err := v.API.GetProject(v.Ctx(), projectID)
	if err != nil {
		return err
	}
	page.Project, page.Automation = *p, automationRow{*a}
	if page.FormError == nil {
		page.Form = automationFormOf(*a)
	}
	if page.List, err = automationRuns(v, p.ProjectID, a.ID); err != nil {
		return err
	}
	return v.Show(status, "automation", shell.Frame{Title: "Automation " + a.Name, Section: "projects",
		Crumbs: append(shell.ProjectCrumbs(p.Name, p.ProjectID),
			shell.Crumb{Text: "Automations", Path: automationsPath(p.ProjectID)})}, page)
}

// automationRuns loads the part of the log selected by the URL.
func automationRuns(v *shell.Visit, projectID, automationID string) (shell.Listing[client.AutomationRun], error) {
	return shell.List(v, shell.Listed[client.AutomationRun]{Noun: "runs", Newest: "at", Size: 25,
		Columns: []shell.Column[client.AutomationRun]{{Label: "Decision"}, {Label: "Why"},
			{Key: "at", Label: "Time", Down: true, Compare: func(a, b client.AutomationRun) int { return a.At.Compare(b.At) }}},
		Text: func(r client.AutomationRun) string {
			return strings.Join([]string{r.Decision, shell.Text(r.Reason), r.Detail, r.Cause, shell.Text(r.JobID)}, " ")
		},
		Load: func(_, cursor string, limit int) ([]client.AutomationRun, string, error) {
			list, err := v.API.ListAutomationRuns(v.Ctx(), projectID, automationID,
				client.ListAutomationRunsParams{Limit: limit, Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return list.Runs, shell.Text(list.NextCursor), nil
		}})
}

// endAutomation shows the automation's page again with the API's error, or redirects to a page.
func endAutomation(v *shell.Visit, err error, form automationForm, to, notice string) error {
	if err == nil {
		return v.Done(to, notice)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	return sendAutomation(v, pageErr.Status, automationPage{automationFields: automationFields{FormError: pageErr, Form: form}})
}

func changeAutomation(_ *shell.Board, v *shell.Visit) error {
	form := readAutomationForm(v)
	projectID, automationID := automationIDs(v)
	perDay, atLeast := form.perDay(), form.atLeast()
	in := client.UpdateAutomation{Name: &form.Name, Trigger: &form.Trigger, Prompt: &form.Prompt, Workflow: &form.Workflow,
		MaxPerDay: &perDay, AtLeast: &atLeast, DryRun: &form.DryRun}
	if schedule := form.schedule(); form.Scheduled() {
		in.Schedule = &schedule
	}
	if label := form.label(); label != "" {
		in.Label = &label
	}
	_, err := v.API.UpdateAutomation(v.Ctx(), projectID, automationID, in)
	return endAutomation(v, err, form, automationPath(v), "automation-saved")
}

func switchAutomation(_ *shell.Board, v *shell.Visit) error {
	projectID, automationID := automationIDs(v)
	on, notice := v.Field("state") == "on", "automation-off"
	if on {
		notice = "automation-on"
	}
	_, err := v.API.UpdateAutomation(v.Ctx(), projectID, automationID, client.UpdateAutomation{Enabled: &on})
	return endAutomation(v, err, automationForm{}, automationPath(v), notice)
}

func runAutomation(_ *shell.Board, v *shell.Visit) error {
	projectID, automationID := automationIDs(v)
	run, err := v.API.RunAutomation(v.Ctx(), projectID, automationID, client.RunAutomation{DryRun: v.Field("dryRun") != ""})
	if err != nil {
		return endAutomation(v, err, automationForm{}, "", "")
	}
	if run.JobID != nil {
		return v.Done(shell.ProjectPath(url.PathEscape(projectID), shell.AgentPath+"/"+*run.JobID), "agent-started")
	}
	return v.Done(automationPath(v), "automation-ran")
}

func deleteAutomation(_ *shell.Board, v *shell.Visit) error {
	projectID, automationID := automationIDs(v)
	err := v.API.DeleteAutomation(v.Ctx(), projectID, automationID)
	return endAutomation(v, err, automationForm{}, automationsPath(projectID), "automation-deleted")
}
