package deliver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store"
)

// Sender runs delivery tasks.
type Sender struct {
	Store     *store.Store
	Client    *http.Client
	Mail      MailServer // nil = this server sends no mail
	PublicURL string     // address of this server, without a trailing slash; "" = messages contain no links
	Masters   [][]byte   // secret keys, the current one first
	Agent     string     // User-Agent
	Now       func() time.Time
	Random    func() float64 // returns 0 to 1; spreads retries
}

// MailServer accepts messages for delivery.
type MailServer interface {
	Send(ctx context.Context, m smtp.Message) error
}

// outcome is the result of an attempt.
type outcome struct {
	endpoint.Attempt
	asked time.Duration // how long the receiver asked us to wait; 0 if it did not
	final bool          // a retry cannot succeed
}

// requestTime is the timeout for a request, from connecting to the response.
const requestTime = 20 * time.Second

// NewClient returns the client for a Sender (W4). It treats a redirect like any other response and reads only the
// start of a response, so the size of the rest does not matter.
func NewClient(g *outbound.Guard) *http.Client {
	return g.Client(outbound.Limits{Time: requestTime, Bytes: 1 << 40, Redirects: -1})
}

// Run makes one attempt at a delivery. If the process dies just after the receiver accepted the message, the message
// is sent again with the same id.
func (s *Sender) Run(ctx context.Context, h task.Hold) error {
	one, err := s.Store.FindShipment(ctx, h.TaskID)
	if err != nil {
		return err
	}
	d := one.Delivery
	if !one.Endpoint.Enabled && d.Type != endpoint.TestAction {
		return s.Store.EndDelivery(ctx, h, d, nil, "The endpoint is turned off.", "")
	}
	o, err := s.attempt(ctx, one)
	if err != nil {
		return err
	}
	a := o.Attempt
	if a.Error == "" {
		return s.Store.EndDelivery(ctx, h, d, &a, "", "")
	}
	if off := turnsOff(one.Endpoint, a); off != "" {
		return s.Store.EndDelivery(ctx, h, d, &a, a.Error, off)
	}
	pause, last := endpoint.PauseAfter(a.Number-d.Earlier, o.asked, s.Random())
	if last || o.final {
		return s.Store.EndDelivery(ctx, h, d, &a, a.Error, "")
	}
	if err := s.Store.PostponeDelivery(ctx, h, d, a, pause); err != nil {
		return err
	}
	return task.ErrPostponed
}

// Fail ends a delivery that could not be attempted.
func (s *Sender) Fail(ctx context.Context, h task.Hold, f task.Failure) error {
	return s.Store.FailDelivery(ctx, h, f)
}

// turnsOff returns the reason to turn an endpoint off after a failed attempt, or "".
func turnsOff(e endpoint.Endpoint, a endpoint.Attempt) endpoint.OffReason {
	switch {
	case !e.Enabled: // a test delivery
		return ""
	case e.Removed(a):
		return endpoint.Gone
	case e.FailingSince != nil && a.At.Sub(*e.FailingSince) >= endpoint.FailingLimit:
		return endpoint.Failing
	}
	return ""
}

// attempt sends the message once. An error means a failure on our side, not on the receiver's.
func (s *Sender) attempt(ctx context.Context, one store.Shipment) (outcome, error) {
	o := outcome{Attempt: endpoint.Attempt{Number: one.Delivery.Attempts + 1, At: s.Now()}}
	if one.Endpoint.Format == endpoint.Mail {
		return s.mail(ctx, one, o)
	}
	body, err := s.body(ctx, one)
	if err != nil {
		return o, err
	}
	return s.post(ctx, one, body, o)
}

// body returns the message in the endpoint's format.
func (s *Sender) body(ctx context.Context, one store.Shipment) ([]byte, error) {
	if one.Endpoint.Format == endpoint.Standard {
		return endpoint.NewMessage(one.Event, s.PublicURL).Encode(), nil
	}
	n, err := s.notice(ctx, one)
	if one.Endpoint.Format == endpoint.Teams {
		return n.Teams(), err
	}
	return n.Slack(), err
}

// notice describes the event in words, using current names.
func (s *Sender) notice(ctx context.Context, one store.Shipment) (endpoint.Notice, error) {
	v := one.Event
	org, err := s.Store.FindOrganization(ctx, v.OrganizationID)
	if err != nil {
		return endpoint.Notice{}, err
	}
	names, err := s.Store.FindNames(ctx, v.OrganizationID, append(slices.Collect(maps.Values(v.Data)), v.Actor, v.Target))
	return endpoint.NewNotice(v, org.Name, names, s.PublicURL), err
}

// post sends a signed request.
func (s *Sender) post(ctx context.Context, one store.Shipment, body []byte, o outcome) (outcome, error) {
	secrets, err := one.Endpoint.Secrets(s.Masters, o.At)
	if err != nil {
		return o, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, one.Endpoint.URL, bytes.NewReader(body))
	if err != nil {
		return o, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.Agent)
	if err := endpoint.Sign(req.Header, one.Delivery.ID, o.At, body, secrets); err != nil {
		return o, err
	}
	resp, err := s.Client.Do(req)
	o.Took = s.Now().Sub(o.At)
	if ctx.Err() != nil { // the process is stopping, or another worker holds the task
		return o, ctx.Err()
	}
	if err != nil {
		o.Error = sentence(outbound.Explain(ctx, err))
		return o, nil
	}
	defer func() { _ = resp.Body.Close() }() // only the start is read
	// The status counts even if the rest of the response does not arrive.
	start, _ := io.ReadAll(io.LimitReader(resp.Body, endpoint.MaxResponse))
	o.Status, o.Response, o.Error = resp.StatusCode, strings.ToValidUTF8(string(start), "\uFFFD"), refusal(resp.StatusCode)
	if o.Error != "" {
		o.asked = retryAfter(resp.Header.Get("Retry-After"), o.At)
	}
	return o, nil
}

// refusal explains why a response means that the message was not delivered, or returns "" if it was delivered (W2).
func refusal(status int) string {
	switch {
	case status >= 200 && status <= 299:
		return ""
	case status >= 300 && status <= 399:
		return fmt.Sprintf("The receiver redirected the request (status %d); redirects are not followed.", status)
	case status == http.StatusGone:
		return "The receiver responded with status 410: it wants no more events."
	}
	return fmt.Sprintf("The receiver responded with status %d.", status)
}

// retryAfter returns how long a receiver asks us to wait, or 0 if it does not say.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
		return time.Duration(min(max(seconds, 0), int(endpoint.LongestPause.Seconds()))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// sentence turns an error message into a sentence.
func sentence(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(words[size:], ".") + "."
}
