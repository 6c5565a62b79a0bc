package deliver

import (
	"context"
	"errors"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store"
)

// mail sends an event to a member. People who left the organization or were removed from the endpoint get no mail,
// not even for events queued before.
func (s *Sender) mail(ctx context.Context, one store.Shipment, o outcome) (outcome, error) {
	to := one.Delivery.Recipient
	_, err := s.Store.FindMemberByEmail(ctx, one.Delivery.OrganizationID, to)
	if fault.Is(err, fault.NotFound) {
		o.Error, o.final = "The address no longer belongs to a member.", true
		return o, nil
	}
	if err != nil {
		return o, err
	}
	if !slices.Contains(one.Endpoint.Recipients, to) {
		o.Error, o.final = "The endpoint no longer lists this address.", true
		return o, nil
	}
	if s.Mail == nil {
		o.Error = "No mail server is configured."
		return o, nil
	}
	n, err := s.notice(ctx, one)
	if err != nil {
		return o, err
	}
	letter := n.Letter(s.PublicURL)
	err = s.Mail.Send(ctx, smtp.Message{ID: one.Delivery.ID, To: to, Subject: letter.Subject, Text: letter.Text(),
		HTML: letter.HTML(), Date: one.Event.At})
	o.Took = s.Now().Sub(o.At)
	if ctx.Err() != nil { // the process is stopping, or another worker holds the task
		return o, ctx.Err()
	}
	var failed *smtp.Error
	if errors.As(err, &failed) {
		o.Error, o.Response, o.final = failed.Public(), clip.Runes(failed.Reply, 200), failed.Permanent
		return o, nil
	}
	return o, err
}
