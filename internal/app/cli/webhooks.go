package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

type webhooksCommands struct {
	List       webhooksListCommand       `cmd:"" help:"List the organization's webhook endpoints."`
	Create     webhooksCreateCommand     `cmd:"" help:"Send events of the audit log to a program, a chat or members."`
	Update     webhooksUpdateCommand     `cmd:"" help:"Change an endpoint, or turn it on or off."`
	Rotate     webhooksRotateCommand     `cmd:"" help:"Give an endpoint a new secret; the old one also signs for 24 hours."`
	Test       webhooksTestCommand       `cmd:"" help:"Send a test delivery."`
	Deliveries webhooksDeliveriesCommand `cmd:"" help:"List deliveries of an endpoint, newest first."`
	Delivery   webhooksDeliveryCommand   `cmd:"" help:"Show a delivery and its attempts."`
	Replay     webhooksReplayCommand     `cmd:"" help:"Resend deliveries that have ended."`
	Delete     webhooksDeleteCommand     `cmd:"" help:"Delete an endpoint and its deliveries."`
}

type webhooksListCommand struct{ remote }

func (c *webhooksListCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListWebhookEndpoints(ctx)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, one := range list.Endpoints {
			events := strings.Join(one.Events, " ")
			if events == "" {
				events = "all"
			}
			to := one.URL
			if one.Format == "mail" {
				to = strings.Join(one.Recipients, " ")
			}
			rows = append(rows, []string{one.EndpointID, one.Format, to, events, endpointState(one), day(one.CreatedAt)})
		}
		return printTable(w, []string{"ENDPOINT ID", "FORMAT", "RECEIVER", "EVENTS", "STATE", "CREATED"}, rows)
	})
}

// endpointState describes an endpoint's state in a word or two.
func endpointState(e client.WebhookEndpoint) string {
	switch {
	case e.OffReason != nil:
		return "off (" + *e.OffReason + ")"
	case !e.Enabled:
		return "off"
	case e.FailingSince != nil:
		return "failing"
	}
	return "on"
}

type webhooksCreateCommand struct {
	remote
	URL         string   `arg:"" optional:"" name:"url" help:"Address that gets the events, such as https://hooks.example.com/lectern; none with the format mail."`
	Format      string   `default:"standard" placeholder:"FORMAT" help:"standard, slack (Mattermost and Rocket.Chat too), teams or mail."`
	Recipient   []string `placeholder:"EMAIL" help:"Member who gets the events, with the format mail; repeat it for several."`
	Event       []string `placeholder:"TYPE" help:"Event type, such as export.start or export.*; repeat it for several. Default: every event."`
	Project     string   `placeholder:"ID" help:"Only events of this project."`
	Description string   `help:"What the endpoint is for."`
}

func (c *webhooksCreateCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	made, err := cl.CreateWebhookEndpoint(ctx, client.CreateWebhookEndpoint{Format: c.Format, URL: c.URL, Recipients: c.Recipient,
		Events: c.Event, ProjectID: c.Project, Description: c.Description})
	if err != nil {
		return err
	}
	if made.Format != "standard" { // chats and mailboxes do not verify signatures
		return c.result(r, made, line(made.EndpointID))
	}
	fmt.Fprintln(r.Stderr, "The secret is not shown again.")
	return c.result(r, made, line(made.EndpointID+"\n"+made.Secret))
}

type webhooksUpdateCommand struct {
	remote
	Endpoint    string   `arg:"" name:"endpoint" help:"Id of the endpoint."`
	URL         *string  `name:"to" placeholder:"URL" help:"New address."`
	Recipient   []string `placeholder:"EMAIL" help:"New list of members who get the events, with the format mail; repeat it for several."`
	Event       []string `placeholder:"TYPE" help:"New list of event types; repeat it for several."`
	AllEvents   bool     `help:"Send every event."`
	Project     *string  `placeholder:"ID" help:"Only events of this project; empty for all."`
	Description *string  `help:"What the endpoint is for."`
	On          bool     `xor:"state" help:"Turn it on."`
	Off         bool     `xor:"state" help:"Turn it off."`
}

func (c *webhooksUpdateCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	in := client.UpdateWebhookEndpoint{URL: c.URL, ProjectID: c.Project, Description: c.Description}
	if c.On || c.Off {
		in.Enabled = &c.On
	}
	if len(c.Recipient) > 0 {
		in.Recipients = &c.Recipient
	}
	if len(c.Event) > 0 || c.AllEvents {
		events := append([]string{}, c.Event...)
		in.Events = &events
	}
	changed, err := cl.UpdateWebhookEndpoint(ctx, c.Endpoint, in)
	if err != nil {
		return err
	}
	return c.result(r, changed, line(changed.EndpointID))
}

// endpointCommand is a command for one endpoint.
type endpointCommand struct {
	remote
	Endpoint string `arg:"" name:"endpoint" help:"Id of the endpoint."`
}

type webhooksRotateCommand struct{ endpointCommand }

func (c *webhooksRotateCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	made, err := cl.RotateWebhookEndpointSecret(ctx, c.Endpoint)
	if err != nil {
		return err
	}
	fmt.Fprintln(r.Stderr, "The secret is not shown again.")
	return c.result(r, made, line(made.Secret))
}

type webhooksTestCommand struct{ endpointCommand }

func (c *webhooksTestCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	queued, err := cl.TestWebhookEndpoint(ctx, c.Endpoint)
	if err != nil {
		return err
	}
	return c.result(r, queued, line(queued.DeliveryID))
}

type webhooksDeliveriesCommand struct {
	endpointCommand
	State string `placeholder:"STATE" help:"Only deliveries in this state: queued, delivered or failed."`
}

func (c *webhooksDeliveriesCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListWebhookDeliveries(ctx, c.Endpoint, client.ListWebhookDeliveriesParams{State: c.State, Limit: 100})
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, d := range list.Deliveries {
			rows = append(rows, []string{d.DeliveryID, d.Type, d.State, fmt.Sprint(d.Attempts),
				d.CreatedAt.UTC().Format(time.RFC3339), orBlank(d.Error)})
		}
		return printTable(w, []string{"DELIVERY ID", "TYPE", "STATE", "ATTEMPTS", "CREATED", "ERROR"}, rows)
	})
}

func orBlank(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type webhooksDeliveryCommand struct {
	endpointCommand
	Delivery string `arg:"" name:"delivery" help:"Id of the delivery."`
}

func (c *webhooksDeliveryCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	d, err := cl.GetWebhookDelivery(ctx, c.Endpoint, c.Delivery)
	if err != nil {
		return err
	}
	return c.result(r, d, func(w io.Writer) error {
		var rows [][]string
		for _, a := range d.Log {
			status := "none"
			if a.Status != nil {
				status = fmt.Sprint(*a.Status)
			}
			rows = append(rows, []string{fmt.Sprint(a.Attempt), a.At.UTC().Format(time.RFC3339), fmt.Sprint(a.DurationMs, " ms"),
				status, orBlank(a.Error)})
		}
		return printTable(w, []string{"ATTEMPT", "AT", "TOOK", "STATUS", "ERROR"}, rows)
	})
}

type webhooksReplayCommand struct {
	endpointCommand
	Delivery string     `arg:"" optional:"" name:"delivery" help:"Id of one delivery."`
	Since    *time.Time `placeholder:"TIME" help:"Resend all failed deliveries of events since this time, such as 2026-01-31T12:00:00Z."`
}

func (c *webhooksReplayCommand) Run(ctx context.Context, r *run) error {
	if (c.Delivery == "") == (c.Since == nil) {
		return fault.New(fault.Invalid, "bad_flag", "Name either a delivery or --since.")
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	if c.Delivery != "" {
		queued, err := cl.ReplayWebhookDelivery(ctx, c.Endpoint, c.Delivery)
		if err != nil {
			return err
		}
		return c.result(r, queued, line(queued.DeliveryID))
	}
	done, err := cl.ReplayWebhookDeliveries(ctx, c.Endpoint, client.ReplayWebhookDeliveries{Since: *c.Since})
	if err != nil {
		return err
	}
	return c.result(r, done, line(fmt.Sprint(done.Replayed)))
}

type webhooksDeleteCommand struct{ endpointCommand }

func (c *webhooksDeleteCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	if err := cl.DeleteWebhookEndpoint(ctx, c.Endpoint); err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "Endpoint %s was deleted.\n", c.Endpoint)
	return nil
}
