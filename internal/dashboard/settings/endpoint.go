package settings

import (
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// endpointPage is the data of one webhook endpoint's page.
type endpointPage struct {
	webhookFields
	Endpoint webhookRow
	List     shell.Listing[client.WebhookDelivery]
	Since    string // RFC 3339; the form replays deliveries that failed since then
}

// replayDays is how far back the form replays; ended deliveries are kept that long.
const replayDays = 30

func endpointPath(v *shell.Visit) string { return WebhooksPath + "/" + v.R.PathValue("endpointId") }

func showWebhook(_ *shell.Board, v *shell.Visit) error {
	return showEndpoint(v, http.StatusOK, endpointPage{})
}

// backToWebhook redirects from a form's URL to its endpoint's page.
func backToWebhook(b *shell.Board, v *shell.Visit) error {
	if _, err := v.API.GetWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId")); err != nil {
		return err
	}
	return back(endpointPath(v))(b, v)
}

// showEndpoint loads the remaining data and shows the page.
func showEndpoint(v *shell.Visit, status int, page endpointPage) error {
	e, err := v.API.GetWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId"))
	if err != nil {
		return err
	}
	if err := page.loadProjects(v); err != nil {
		return err
	}
	page.Endpoint = webhookRow{*e, page.projectName(e.ProjectID)}
	page.Fixed = true
	if page.FormError == nil {
		page.Form = webhookForm{URL: e.URL, Recipients: strings.Join(e.Recipients, "\n"), Description: e.Description, ProjectID: shell.Text(e.ProjectID),
			Events: strings.Join(e.Events, "\n")}
	}
	page.Form.Format = e.Format
	if page.List, err = deliveryList(v, e.EndpointID); err != nil {
		return err
	}
	page.Since = v.B.Now().AddDate(0, 0, -replayDays).UTC().Format(time.RFC3339)
	return v.Show(status, "webhook", shell.Frame{Title: "Webhook " + page.Endpoint.Host(), Section: "webhooks",
		Crumbs: []shell.Crumb{{Text: "Webhooks", Path: WebhooksPath}}}, page)
}

// deliveryList loads the deliveries selected by the URL.
func deliveryList(v *shell.Visit, endpointID string) (shell.Listing[client.WebhookDelivery], error) {
	return shell.List(v, shell.Listed[client.WebhookDelivery]{Noun: "deliveries", Newest: "created", Size: 25,
		Columns: []shell.Column[client.WebhookDelivery]{{Label: "Event"}, {Label: "State"}, {Label: "Attempts"},
			{Key: "created", Label: "Created", Down: true, Compare: func(a, b client.WebhookDelivery) int {
				return a.CreatedAt.Compare(b.CreatedAt)
			}}, {Label: "Next attempt"}},
		Text: func(d client.WebhookDelivery) string {
			return strings.Join([]string{d.Type, d.DeliveryID, d.EventID, shell.Text(d.Error), shell.Text(d.Recipient)}, " ")
		},
		States: []string{"queued", "delivered", "failed"},
		Load: func(state, cursor string, limit int) ([]client.WebhookDelivery, string, error) {
			list, err := v.API.ListWebhookDeliveries(v.Ctx(), endpointID,
				client.ListWebhookDeliveriesParams{State: state, Limit: limit, Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return list.Deliveries, shell.Text(list.NextCursor), nil
		}})
}

// endEndpoint shows the endpoint's page again with the API's error, or redirects to a page.
func endEndpoint(v *shell.Visit, err error, form webhookForm, to, notice string) error {
	if err == nil {
		return v.Done(to, notice)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	return showEndpoint(v, pageErr.Status, endpointPage{webhookFields: webhookFields{FormError: pageErr, Form: form}})
}

func changeWebhook(_ *shell.Board, v *shell.Visit) error {
	form := readWebhookForm(v)
	types, recipients := fieldList(form.Events), fieldList(form.Recipients)
	_, err := v.API.UpdateWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId"), client.UpdateWebhookEndpoint{
		URL: &form.URL, Recipients: &recipients, Description: &form.Description, Events: &types, ProjectID: &form.ProjectID})
	return endEndpoint(v, err, form, endpointPath(v), "webhook-saved")
}

func switchWebhook(_ *shell.Board, v *shell.Visit) error {
	on := v.Field("state") == "on"
	_, err := v.API.UpdateWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId"),
		client.UpdateWebhookEndpoint{Enabled: &on})
	notice := "webhook-off"
	if on {
		notice = "webhook-on"
	}
	return endEndpoint(v, err, webhookForm{}, endpointPath(v), notice)
}

func testWebhook(_ *shell.Board, v *shell.Visit) error {
	d, err := v.API.TestWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId"))
	if err != nil {
		return endEndpoint(v, err, webhookForm{}, "", "")
	}
	return v.Done(endpointPath(v)+"/deliveries/"+d.DeliveryID, "webhook-tested")
}

func rotateWebhook(_ *shell.Board, v *shell.Visit) error {
	made, err := v.API.RotateWebhookEndpointSecret(v.Ctx(), v.R.PathValue("endpointId"))
	if err != nil {
		return endEndpoint(v, err, webhookForm{}, "", "")
	}
	return showEndpoint(v, http.StatusOK, endpointPage{webhookFields: webhookFields{Secret: made.Secret}})
}

func replayWebhook(_ *shell.Board, v *shell.Visit) error {
	since, err := time.Parse(time.RFC3339, v.Field("since"))
	if err != nil {
		since = v.B.Now().AddDate(0, 0, -replayDays)
	}
	_, err = v.API.ReplayWebhookDeliveries(v.Ctx(), v.R.PathValue("endpointId"),
		client.ReplayWebhookDeliveries{Since: since})
	return endEndpoint(v, err, webhookForm{}, endpointPath(v), "webhook-replayed")
}

func deleteWebhook(_ *shell.Board, v *shell.Visit) error {
	err := v.API.DeleteWebhookEndpoint(v.Ctx(), v.R.PathValue("endpointId"))
	return endEndpoint(v, err, webhookForm{}, WebhooksPath, "webhook-deleted")
}

// deliveryPage is the data of one delivery's page.
type deliveryPage struct {
	*client.WebhookDeliveryDetails
	FormError *shell.PageError // error of the submitted form; nil = none
}

func showDelivery(_ *shell.Board, v *shell.Visit) error { return sendDelivery(v, http.StatusOK, nil) }

func sendDelivery(v *shell.Visit, status int, formError *shell.PageError) error {
	d, err := v.API.GetWebhookDelivery(v.Ctx(), v.R.PathValue("endpointId"), v.R.PathValue("deliveryId"))
	if err != nil {
		return err
	}
	reading := formError == nil // a live update would remove the form's error
	return v.Show(status, "delivery", shell.Frame{Title: "Delivery of " + d.Type, Section: "webhooks", Live: reading,
		Working: reading && d.State == "queued", Crumbs: []shell.Crumb{{Text: "Webhooks", Path: WebhooksPath},
			{Text: "Endpoint", Path: endpointPath(v)}}}, deliveryPage{d, formError})
}

func replayDelivery(_ *shell.Board, v *shell.Visit) error {
	d, err := v.API.ReplayWebhookDelivery(v.Ctx(), v.R.PathValue("endpointId"), v.R.PathValue("deliveryId"))
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return sendDelivery(v, pageErr.Status, pageErr)
	}
	return v.Done(endpointPath(v)+"/deliveries/"+d.DeliveryID, "delivery-replayed")
}
