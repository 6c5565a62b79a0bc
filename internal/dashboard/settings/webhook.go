package settings

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

// webhookForm contains the user's input for an endpoint.
type webhookForm struct {
	Format, URL, Description, ProjectID string
	Recipients                          string // one address per line
	Events                              string // one type per line
}

func readWebhookForm(v *shell.Visit) webhookForm {
	return webhookForm{Format: v.Field("format"), URL: v.Field("url"), Recipients: v.Form.Get("recipients"), Description: v.Field("description"), ProjectID: v.Field("projectId"),
		Events: v.Form.Get("events")}
}

// fieldList returns the entries of a field, separated by lines, blanks or commas; never nil.
func fieldList(text string) []string {
	if list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r <= ' ' }); list != nil {
		return list
	}
	return []string{}
}

// webhookFields is the data for the endpoint form.
type webhookFields struct {
	FormError *shell.PageError // error of the submitted form; nil = none
	Form      webhookForm
	Secret    string // the new secret, shown only once; "" = none
	Fixed     bool   // the endpoint exists, so its format cannot be changed
	Projects  []client.Project
}

// FieldErrors returns the errors of the form's fields, by name.
func (p webhookFields) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// Types returns every event type.
func (webhookFields) Types() []string { return event.Actions }

// Formats returns the available formats.
func (webhookFields) Formats() []choice {
	return []choice{{string(endpoint.Standard), "Standard Webhooks: signed JSON for programs"},
		{string(endpoint.Slack), "Slack, Mattermost or Rocket.Chat"}, {string(endpoint.Teams), "Microsoft Teams"},
		{string(endpoint.Mail), "Mail to members"}}
}

// webhooksPage holds the template data for the page of webhook endpoints.
type webhooksPage struct {
	webhookFields
	Endpoints []webhookRow
	Made      string // id of the endpoint to which Secret belongs
	Example   string
}

// webhookRow is an endpoint in the list.
type webhookRow struct {
	client.WebhookEndpoint
	Project string // name of the project whose events it gets; "" = all projects
}

// Host returns the receiver's host or, for mail, the number of recipients. The rest of a URL is often a secret, so only
// the endpoint's own page shows it.
func (r webhookRow) Host() string {
	if r.Format == string(endpoint.Mail) {
		if len(r.Recipients) == 1 {
			return "Mail to " + r.Recipients[0]
		}
		return fmt.Sprintf("Mail to %d members", len(r.Recipients))
	}
	return endpoint.Endpoint{URL: r.URL}.Name()
}

// State returns the text of the endpoint's badge.
func (r webhookRow) State() string {
	switch {
	case !r.Enabled:
		return "off"
	case r.FailingSince != nil:
		return "failing"
	}
	return "on"
}

func listWebhooks(_ *shell.Board, v *shell.Visit) error {
	return showWebhooks(v, http.StatusOK, webhooksPage{})
}

func createWebhook(_ *shell.Board, v *shell.Visit) error {
	form := readWebhookForm(v)
	made, err := v.API.CreateWebhookEndpoint(v.Ctx(), client.CreateWebhookEndpoint{Format: form.Format, URL: form.URL,
		Recipients: fieldList(form.Recipients), Description: form.Description, Events: fieldList(form.Events),
		ProjectID: form.ProjectID})
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return showWebhooks(v, pageErr.Status, webhooksPage{webhookFields: webhookFields{FormError: pageErr, Form: form}})
	}
	if made.Format != string(endpoint.Standard) { // chats and mailboxes do not verify signatures
		return v.Done(WebhooksPath+"/"+made.EndpointID, "webhook-added")
	}
	return showWebhooks(v, http.StatusOK, webhooksPage{Made: made.EndpointID,
		webhookFields: webhookFields{Secret: made.Secret}})
}

// showWebhooks loads the remaining data and shows the page.
func showWebhooks(v *shell.Visit, status int, page webhooksPage) error {
	list, err := v.API.ListWebhookEndpoints(v.Ctx())
	if err != nil {
		return err
	}
	if err := page.loadProjects(v); err != nil {
		return err
	}
	for _, e := range list.Endpoints {
		page.Endpoints = append(page.Endpoints, webhookRow{e, page.projectName(e.ProjectID)})
	}
	page.Example = shell.Body(client.CreateWebhookEndpoint{URL: "https://hooks.example.com/lectern",
		Events: []string{"deployment.*", "export.*"}})
	return v.Show(status, "webhooks", shell.Frame{Title: "Webhooks", Section: "webhooks"}, page)
}

// loadProjects loads the projects to choose from.
func (p *webhookFields) loadProjects(v *shell.Visit) error {
	projects, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100})
	if err == nil {
		p.Projects = projects.Projects
	}
	return err
}

// projectName returns a project's name, or its id if it is not among the first hundred.
func (p webhookFields) projectName(projectID *string) string {
	id := shell.Text(projectID)
	for _, one := range p.Projects {
		if one.ProjectID == id {
			return one.Name
		}
	}
	return id
}
