package endpoint

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Format is the form in which an endpoint receives events. It never changes, because waiting deliveries depend on
// it.
type Format string

// The formats.
const (
	Standard Format = "standard" // JSON for programs, following Standard Webhooks
	Slack    Format = "slack"    // incoming webhooks of Slack, Mattermost, Rocket.Chat
	Teams    Format = "teams"    // workflows of Microsoft Teams
	Mail     Format = "mail"     // an email to members
)

// Formats lists all formats.
var Formats = []Format{Standard, Slack, Teams, Mail}

// maxRecipients limits the recipients of an endpoint.
const maxRecipients = 20

// validateFormat checks the format and the fields that it requires, except the address.
func (e Endpoint) validateFormat() error {
	switch {
	case !slices.Contains(Formats, e.Format):
		return invalid("format", "format must be standard, slack, teams or mail.")
	case e.Format != Mail && len(e.Recipients) > 0:
		return invalid("recipients", "Only endpoints with the format mail can have recipients.")
	case e.Format != Mail:
		return nil
	case e.URL != "":
		return invalid("url", "An endpoint with the format mail has no url.").WithHint("Name members in recipients.")
	case len(e.Recipients) == 0 || len(e.Recipients) > maxRecipients:
		return invalid("recipients", "recipients must contain 1 to %d members' addresses.", maxRecipients)
	case len(e.Events) == 0:
		return invalid("events", "An endpoint with the format mail must name its events.").
			WithHint("Every event of the audit log would be an email. Name a few, such as alert.* and deployment.fail.")
	}
	return nil
}

// CleanRecipients normalizes addresses of members and removes duplicates, keeping the order.
func CleanRecipients(list []string) ([]string, error) {
	var out []string
	for _, one := range list {
		address, err := account.CleanEmail(one)
		if f, ok := fault.As(err); ok {
			return nil, f.WithField("recipients")
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, address) {
			out = append(out, address)
		}
	}
	return out, nil
}

// Receivers returns the receivers of an event: email addresses, or "" for the endpoint's own address. Each of them gets
// one delivery.
func (e Endpoint) Receivers() []string {
	if e.Format == Mail {
		return e.Recipients
	}
	return []string{""}
}

// gone are the responses with which Slack says that a webhook will never work again.
var gone = []string{"no_service", "no_active_hooks", "no_team", "team_disabled"}

// Removed reports whether a response says that the receiver wants no more events: 410, or Slack's equivalent
// messages.
func (e Endpoint) Removed(a Attempt) bool {
	return a.Status == http.StatusGone ||
		e.Format == Slack && a.Status >= 400 && slices.Contains(gone, strings.TrimSpace(a.Response))
}
