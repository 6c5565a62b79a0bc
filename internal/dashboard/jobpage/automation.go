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

// automationForm is what a person gave for an automation.
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

// Has reports whether a day is chosen, for the template.
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

// atLeast returns the number in the form; 1 for a trigger that does not count, whatever the field has.
func (f automationForm) atLeast() int {
	if !automation.Trigger(f.Trigger).Counted() || f.AtLeast == "" {
		return 1
	}
	return limitNumber(f.AtLeast)
}

// limitNumber reads a number; anything else becomes -1, which the API refuses.
func limitNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Scheduled reports whether the chosen trigger has a schedule.
func (f automationForm) Scheduled() bool { return automation.Trigger(f.Trigger).Scheduled() }

// label returns the label of the trigger that has one.
func (f automationForm) label() string {
	if automation.Trigger(f.Trigger) != automation.OnLabel {
		return ""
	}
	return f.Label
}

// schedule returns the schedule of a trigger that has one.
func (f automationForm) schedule() client.AutomationSchedule {
	if !f.Scheduled() {
		return client.AutomationSchedule{}
	}
	return client.AutomationSchedule{Days: f.Days, At: f.At, TimeZone: f.TimeZone}
}

// automationFields is the part of the pages that the form for an automation needs.
type automationFields struct {
	Project   client.Project
	FormError *shell.PageError // of the form that was just sent; nil = none
	Form      automationForm
}

// FieldErrors returns what is wrong with the form's fields, by name.
func (p automationFields) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// option is one choice of a form.
type option struct{ Value, Text string }

// Triggers returns the triggers to choose from.
func (automationFields) Triggers() []option {
	return []option{{"schedule", "On a schedule"}, {"gaps", "On a schedule, if readers missed something"},
		{"feedback", "On a schedule, if pages did not help readers"}, {"push", "When a product repository has new commits"},
		{"release", "When a product repository has a new tag"}, {"api", "When an API description of a product repository changed"},
		{"findings", "When the site was published with new findings"},
		{"comment", "When somebody asks in a comment on the code host"},
		{"label", "When an issue or pull request gets a label"}, {"call", "When it is called or run by hand"}}
}

// WeekDays returns the days to choose from.
func (automationFields) WeekDays() []option {
	return []option{{"mon", "Monday"}, {"tue", "Tuesday"}, {"wed", "Wednesday"}, {"thu", "Thursday"}, {"fri", "Friday"},
		{"sat", "Saturday"}, {"sun", "Sunday"}}
}

// Workflows returns the tasks that need no prompt.
func (automationFields) Workflows() []string { return agentjob.Workflows() }

// automationsPage is what the page of a project's automations shows.
type automationsPage struct {
	automationFields
	Tabs        []shell.Tab
	Automations []automationRow
	Products    []client.ProductRepository
	Product     productForm
	Receipts    []client.Receipt // those that are stale first
	// MoreReceipts reports whether there are more than shown.
	MoreReceipts bool
	Example      string
}

// productForm is what a person gave for a product repository.
type productForm struct{ Name, Repository, Branch, Credential string }

// automationRow is an automation in the list.
type automationRow struct{ client.Automation }

// State returns the word of the automation's badge.
func (r automationRow) State() string {
	switch {
	case !r.Enabled:
		return "off"
	case r.DryRun:
		return "dry run"
	}
	return "on"
}

// When says in words what starts it.
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

// events say in words what starts an automation without a schedule.
var events = map[string]string{"push": "when a product repository has new commits",
	"release": "when a product repository has a new tag", "api": "when an API description of a product repository changed",
	"findings": "when the site was published with new findings", "comment": "when somebody asks in a comment on the code host"}

// ownTasks say in words what the agent does if the automation does not say it.
var ownTasks = map[string]string{"gaps": "answer what readers missed",
	"push":    "update what the documentation says about the changed code",
	"release": "update what the documentation says about the release",
	"api":     "update what the documentation says about the API", "findings": "fix what the checker found",
	"feedback": "improve pages that did not help", "comment": "do what the comment says",
	"label": "do what the issue or pull request describes"}

// Task says in words what the agent does.
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

// defaultAutomation is what the form for a new automation begins with.
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

// changedProducts leads back to the page after a form about product repositories, or shows what the API refused.
func changedProducts(v *shell.Visit, projectID string, err error, form productForm, did string) error {
	if err == nil {
		return v.Done(automationsPath(projectID), did)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	if words := pageErr.Fields["name"]; words != "" { // which the form calls otherwise
		pageErr.Fields["product"] = words
		delete(pageErr.Fields, "name")
	}
	return showAutomations(v, pageErr.Status, automationsPage{Product: form,
		automationFields: automationFields{FormError: pageErr, Form: defaultAutomation()}})
}

// backToAutomations leads on from the address of a form's answer, which cannot be opened again.
func backToAutomations(_ *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	return v.Done(automationsPath(p.ProjectID), "")
}

// receiptsShown bounds the receipts of each state on the page.
const receiptsShown = 50

// addReceipts adds what pages rely on: first what needs a look.
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

// showAutomations completes the page with what there is and sends it.
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
