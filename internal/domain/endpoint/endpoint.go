package endpoint

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Endpoint is a receiver of an organization's events: the address of a program or a chat, or members who get emails.
type Endpoint struct {
	ID             string
	OrganizationID string
	Format         Format
	URL            string   // "" with the format mail
	Recipients     []string // addresses of members for the format mail, otherwise empty
	Description    string
	Events         []string // event types, see Wants; empty = all
	ProjectID      string   // only events of this project; "" = all events of the organization
	Enabled        bool
	OffReason      OffReason
	Sealed         string     // the secret, encrypted
	SealedBefore   string     // the secret before the last rotation, which is also used for signing until BeforeUntil
	BeforeUntil    *time.Time // nil = there is no earlier secret
	FailingSince   *time.Time // first failed attempt since the last successful one
	CreatedBy      string     // id of the key or member that created it
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// OffReason says why the server turned an endpoint off; "" if a person turned it off.
type OffReason string

// The reasons.
const (
	Failing OffReason = "failing" // no delivery succeeded for FailingLimit
	Gone    OffReason = "gone"    // the receiver rejects all further events, see Removed
)

// Limits of endpoints.
const (
	MaxEndpoints   = 20 // per organization
	maxURL         = 2048
	maxDescription = 200
	maxEvents      = 50
	maxProjectID   = 64
	maxTypeShown   = 80 // characters of an unknown type shown in the error
	// FailingLimit is how long an endpoint may fail before it is turned off.
	FailingLimit = 5 * 24 * time.Hour
	// KeepFor is how long ended deliveries are kept.
	KeepFor = 30 * 24 * time.Hour
)

// TestAction is the event type of a test delivery.
const TestAction = "webhook.test"

// Validate checks the fields that a caller sets. trusted reports whether the operator lists a host. Only such hosts may
// be used without TLS.
func (e Endpoint) Validate(trusted func(host string) bool) error {
	if err := e.validateFormat(); err != nil {
		return err
	}
	u, err := url.Parse(e.URL)
	switch {
	case e.Format == Mail: // it has no address
	case err != nil || len(e.URL) > maxURL || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return invalid("url", "url must be an https address of at most %d characters.", maxURL)
	case u.User != nil || u.Fragment != "":
		return invalid("url", "url must have neither a user nor a fragment.")
	case u.Scheme == "http" && !trusted(u.Hostname()):
		return invalid("url", "url must begin with https://.").
			WithHint("Plain http is accepted only for hosts that the operator lists with --allow-address.")
	}
	switch {
	case utf8.RuneCountInString(e.Description) > maxDescription || !utf8.ValidString(e.Description):
		return invalid("description", "description must have at most %d characters.", maxDescription)
	case len(e.ProjectID) > maxProjectID:
		return invalid("projectId", "projectId must have at most %d characters.", maxProjectID)
	case len(e.Events) > maxEvents:
		return invalid("events", "events must have at most %d entries.", maxEvents)
	}
	for _, one := range e.Events {
		if err := validateType(one); err != nil {
			return err
		}
	}
	return nil
}

// Name returns a display name for the endpoint: its host, or its format if it has none. The rest of the URL is not
// shown, because it is often secret.
func (e Endpoint) Name() string {
	if u, err := url.Parse(e.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return string(e.Format)
}

// validateType checks an entry of Events.
func validateType(one string) error {
	noun, all := strings.CutSuffix(one, ".*")
	if all && slices.ContainsFunc(event.Actions, func(a string) bool { return strings.HasPrefix(a, noun+".") }) ||
		slices.Contains(event.Actions, one) {
		return nil
	}
	f := invalid("events", "There is no event type %q.", clip.Runes(one, maxTypeShown))
	if near := didyoumean.Word(one, types); near != "" {
		return f.WithHint("Did you mean " + near + "?")
	}
	return f.WithHint("Write a type such as export.start, or export.* for all types of a noun.")
}

// types yields all valid entries of Events.
func types(yield func(string) bool) {
	before := ""
	for _, action := range event.Actions {
		noun, _, _ := strings.Cut(action, ".")
		if noun != before && !yield(noun+".*") || !yield(action) {
			return
		}
		before = noun
	}
}

func invalid(field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
}

// Wants reports whether the endpoint subscribes to an event. An entry of Events is a type, or a noun followed by
// ".*".
func (e Endpoint) Wants(v event.Event) bool {
	if !e.Enabled || v.Action == TestAction || e.ProjectID != "" && e.ProjectID != v.Project() {
		return false
	}
	return len(e.Events) == 0 || slices.ContainsFunc(e.Events, func(want string) bool {
		noun, all := strings.CutSuffix(want, "*")
		return want == v.Action || all && strings.HasPrefix(v.Action, noun)
	})
}

// Unknown returns the fault for an endpoint that the organization does not have. It is the same if another organization
// has one with that id.
func Unknown() error {
	return fault.New(fault.NotFound, "unknown_webhook_endpoint", "Webhook endpoint not found.")
}

// UnknownDelivery returns the fault for a delivery that the endpoint does not have.
func UnknownDelivery() error {
	return fault.New(fault.NotFound, "unknown_webhook_delivery", "Webhook delivery not found.")
}
