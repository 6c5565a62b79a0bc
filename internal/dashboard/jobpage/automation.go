package jobpage

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
)

// automationForm contains the user's input for an automation.
type automationForm struct {
	Name, Trigger, At, TimeZone, Prompt, Workflow, Label, MaxPerDay, AtLeast string
	Days                                                                     []string
	DryRun                                                                   bool
}

func readAutomationForm(v *shell.Visit) automationForm {
	return automationForm{Name: v.Field("name"), Trigger: v.Field("trigger"), At: v.Field("at"), TimeZone: v.Field("timeZone"),
		Prompt: v.Form.Get("prompt"), Workflow: v.Field("workflow"), Label: v.Field("label"), MaxPerDay: v.Field("maxPerDay"),
		AtLeast: v.Field("atLeast"), Days: v.Form["days"],
		DryRun: v.Field("dryRun") != ""}
}

func automationFormOf(a client.Automation) automationForm {
	out := automationForm{Name: a.Name, Trigger: a.Trigger, Prompt: shell.Text(a.Prompt), Workflow: shell.Text(a.Workflow),
		Label:     shell.Text(a.Label),
		MaxPerDay: strconv.Itoa(a.MaxPerDay), AtLeast: strconv.Itoa(a.AtLeast), DryRun: a.DryRun}
	if a.Schedule != nil {
		out.At, out.TimeZone, out.Days = a.Schedule.At, a.Schedule.TimeZone, a.Schedule.Days
	}
	return out
}

// Has reports whether a day is selected. Used by the template.
func (f automationForm) Has(day string) bool {
	for _, d := range f.Days {
		if d == day {
			return true
		}
	}
	return false
}

// perDay returns the number in the form.
func (f automationForm) perDay() int { return limitNumber(f.MaxPerDay) }

// atLeast returns the number in the form; 1 if the trigger does not use it.
func (f automationForm) atLeast() int {
	if !automation.Trigger(f.Trigger).Counted() || f.AtLeast == "" {
		return 1
	}
	return limitNumber(f.AtLeast)
}

// limitNumber parses a number; anything else becomes -1, which the API rejects.
func limitNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Scheduled reports whether the selected trigger has a schedule.
func (f automationForm) Scheduled() bool { return automation.Trigger(f.Trigger).Scheduled() }

// label returns the label, if the trigger uses one.
func (f automationForm) label() string {
	if automation.Trigger(f.Trigger) != automation.OnLabel {
		return ""
	}
	return f.Label
}

// schedule returns the schedule, if the trigger uses one.
func (f automationForm) schedule() client.AutomationSchedule {
	if !f.Scheduled() {
		return client.AutomationSchedule{}
	}
	return client.AutomationSchedule{Days: f.Days, At: f.At, TimeZone: f.TimeZone}
}

// automationFields is the data for the automation form.
type automationFields struct {
	Project   client.Project
	FormError *shell.PageError // error of the submitted form; nil = none
	Form      automationForm
}

// FieldErrors returns the errors of the form's fields, by name.
func (p automationFields) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// option is an option of a select element.
type option struct{ Value, Text string }

// Triggers returns the available triggers.
func (automationFields) Triggers() []option {
	return []option{{"schedule", "On a schedule"}, {"gaps", "On a schedule, if readers missed something"},
		{"feedback", "On a schedule, if pages did not help readers"}, {"push", "When a product repository has new commits"},
		{"release", "When a product repository has a new tag"}, {"api", "When an API description changed"},
		{"findings", "When the site was published with new findings"},
		{"comment", "When somebody asks in a comment on the code host"},
		{"label", "When an issue or pull request gets a label"}, {"call", "When it is called or run by hand"}}
}

// WeekDays returns the days of the week.
func (automationFields) WeekDays() []option {
	return []option{{"mon", "Monday"}, {"tue", "Tuesday"}, {"wed", "Wednesday"}, {"thu", "Thursday"}, {"fri", "Friday"},
		{"sat", "Saturday"}, {"sun", "Sunday"}}
}

// Workflows returns the tasks that need no prompt.
func (automationFields) Workflows() []string { return agentjob.Workflows() }

// automationsPage is the data of the page with a project's automations.
type automationsPage struct {
	automationFields
	Tabs        []shell.Tab
	Automations []automationRow
	Products    []client.ProductRepository
	Product     productForm
	Receipts    []client.Receipt // stale ones first
	// MoreReceipts reports whether there are more than those shown.
	MoreReceipts bool
	Example      string
}

// productForm contains the user's input for a product repository.
type productForm struct{ Name, Repository, Branch, Credential string }

// automationRow is an automation in the list.
type automationRow struct{ client.Automation }

// State returns the text of the automation's badge.
func (r automationRow) State() string {
	switch {
	case !r.Enabled:
		return "off"
	case r.DryRun:
		return "dry run"
	}
	return "on"
}

// When describes the automation's trigger.
func (r automationRow) When() string {
	switch {
	case r.Trigger == "label":
		return "when an issue or pull request gets the label " + shell.Text(r.Label)
	case events[r.Trigger] != "":
		return events[r.Trigger]
	case r.Schedule == nil:
		return "when it is called"
	}
	days := "every day"
	if len(r.Schedule.Days) > 0 && len(r.Schedule.Days) < 7 {
		var names []string
		for _, d := range (automationFields{}).WeekDays() {
			if slices.Contains(r.Schedule.Days, d.Value) {
				names = append(names, d.Text)
			}
		}
		days = "every " + strings.Join(names, ", ")
	}
	zone := r.Schedule.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	out := days + " at " + r.Schedule.At + " (" + zone + ")"
	switch r.Trigger {
	case "gaps":
		out += ", if readers missed something"
	case "feedback":
		out += ", if pages did not help readers"
	}
	return out
}

// events describes triggers without a schedule.
var events = map[string]string{"push": "when a product repository has new commits",
	"release": "when a product repository has a new tag", "api": "when an API description changed",
	"findings": "when the site was published with new findings", "comment": "when somebody asks in a comment on the code host"}

// ownTasks describes the agent's task for triggers that define one.
var ownTasks = map[string]string{"gaps": "answer what readers missed",
	"push":    "update what the documentation says about the changed code",
	"release": "update what the documentation says about the release",
	"api":     "update what the documentation says about the API", "findings": "fix what the checker found",
	"feedback": "improve pages that did not help", "comment": "do what the comment says",
	"label": "do what the issue or pull request describes"}

// Task describes the agent's task.
func (r automationRow) Task() string {
	switch {
	case r.Workflow != nil:
		return *r.Workflow
	case r.Prompt != nil:
		return agentjob.TitleOf(*r.Prompt)
	}
	return ownTasks[r.Trigger]
}

func automationsPath(projectID string) string {
	return shell.ProjectPath(url.PathEscape(projectID), shell.AutomationsPath)
}

func listAutomations(_ *shell.Board, v *shell.Visit) error {
	return showAutomations(v, http.StatusOK, automationsPage{
		automationFields: automationFields{Form: defaultAutomation()}})
}

func createAutomation(_ *shell.Board, v *shell.Visit) error {
	form, projectID := readAutomationForm(v), v.R.PathValue("projectId")
	made, err := v.API.CreateAutomation(v.Ctx(), projectID, client.CreateAutomation{Name: form.Name, Trigger: form.Trigger,
		Schedule: form.schedule(), Prompt: form.Prompt, Workflow: form.Workflow, Label: form.label(), MaxPerDay: form.perDay(),
		AtLeast: form.atLeast(), DryRun: form.DryRun})
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil || pageErr.Status == http.StatusNotFound {
			return err
		}
		return showAutomations(v, pageErr.Status,
			automationsPage{automationFields: automationFields{FormError: pageErr, Form: form}})
	}
	return v.Done(automationsPath(projectID)+"/"+made.ID, "automation-added")
}

// defaultAutomation returns the initial values of the form for a new automation.
func defaultAutomation() automationForm {
	return automationForm{Trigger: "schedule", At: "06:00", MaxPerDay: "1", AtLeast: "1"}
}

func connectProduct(_ *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	form := productForm{Name: v.Field("product"), Repository: v.Field("repository"), Branch: v.Field("branch"),
		Credential: v.Field("credential")}
	_, err := v.API.CreateProductRepository(v.Ctx(), projectID, client.CreateProductRepository{Name: form.Name,
		Source: client.SourceInput{Repository: form.Repository, Branch: form.Branch, Credential: form.Credential}})
	return changedProducts(v, projectID, err, form, "product-connected")
}

func disconnectProduct(_ *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	err := v.API.DeleteProductRepository(v.Ctx(), projectID, v.R.PathValue("productId"))
	return changedProducts(v, projectID, err, productForm{}, "product-disconnected")
}

func reviewReceipt(_ *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	err := v.API.DeleteReceipt(v.Ctx(), projectID, v.R.PathValue("receiptId"))
	return changedProducts(v, projectID, err, productForm{}, "receipt-reviewed")
}

// changedProducts redirects to the page after a form about product repositories, or shows the API's error.
func changedProducts(v *shell.Visit, projectID string, err error, form productForm, did string) error {
	if err == nil {
		return v.Done(automationsPath(projectID), did)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	if words := pageErr.Fields["name"]; words != "" { // the form uses another name
		pageErr.Fields["product"] = words
		delete(pageErr.Fields, "name")
	}
	return showAutomations(v, pageErr.Status, automationsPage{Product: form,
		automationFields: automationFields{FormError: pageErr, Form: defaultAutomation()}})
}

// backToAutomations redirects from the URL of a form response, which cannot be opened again.
func backToAutomations(_ *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	return v.Done(automationsPath(p.ProjectID), "")
}

// receiptsShown is the number of receipts shown per state.
const receiptsShown = 50

// addReceipts adds the receipts of pages, stale ones first.
func (p *automationsPage) addReceipts(v *shell.Visit, projectID string) error {
	for _, state := range []string{"stale", "current"} {
		list, err := v.API.ListReceipts(v.Ctx(), projectID, client.ListReceiptsParams{State: state, Limit: receiptsShown})
		if err != nil {
			return err
		}
		p.Receipts = append(p.Receipts, list.Receipts...)
		p.MoreReceipts = p.MoreReceipts || list.NextCursor != nil
	}
	return nil
}

// showAutomations loads the remaining data and shows the page.
func showAutomations(v *shell.Visit, status int, page automationsPage) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := v.API.ListAutomations(v.Ctx(), p.ProjectID)
	if err != nil {
		return err
	}
	page.Project, page.Tabs = *p, shell.ProjectTabs(v, p.ProjectID, "Agent")
	for _, one := range list.Automations {
		page.Automations = append(page.Automations, automationRow{one})
	}
	products, err := v.API.ListProductRepositories(v.Ctx(), p.ProjectID)
	if err != nil {
		return err
	}
	page.Products = products.ProductRepositories
	if err := page.addReceipts(v, p.ProjectID); err != nil {
		return err
	}
	page.Example = shell.Body(client.CreateAutomation{Name: "weekly-links", Trigger: "schedule", Workflow: "fix-links",
		Schedule: client.AutomationSchedule{Days: []string{"mon"}, At: "06:00"}})
	return v.Show(status, "automations", shell.Frame{Title: "Automations of " + p.Name, Section: "projects",
		Crumbs: append(shell.ProjectCrumbs(p.Name, p.ProjectID),
			shell.Crumb{Text: "Agent", Path: shell.ProjectPath(p.ProjectID, shell.AgentPath)})}, page)
}
