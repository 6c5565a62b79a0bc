package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type eventsCommands struct {
	List   eventsListCommand   `cmd:"" help:"List who changed what, newest first."`
	Export eventsExportCommand `cmd:"" help:"Export the audit log to a file, oldest first."`
	Check  eventsCheckCommand  `cmd:"" help:"Verify that the audit log was not modified."`
}

// eventFlags contains the event filters.
type eventFlags struct {
	Actor  string `placeholder:"ID" help:"Only events by this actor: a key, a member, or another such as operator."`
	Action string `placeholder:"ACTION" help:"Only this action, such as key.create, or all actions of a kind, such as key."`
	Target string `placeholder:"ID" help:"Only events about the object with this id."`
	Since  string `placeholder:"TIME" help:"Only events at or after this time: 2026-01-31, or 2026-01-31T12:00:00Z."`
	Until  string `placeholder:"TIME" help:"Only events before this time."`
}

func (f eventFlags) filter() (out client.ListEventsParams, err error) {
	out = client.ListEventsParams{Actor: f.Actor, Action: f.Action, Target: f.Target}
	if out.Since, err = moment("since", f.Since); err != nil {
		return out, err
	}
	out.Until, err = moment("until", f.Until)
	return out, err
}

// moment parses a date or a timestamp; "" is the zero time. A date means the start of that day in UTC, as in tables.
func moment(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fault.Newf(fault.Invalid, "invalid_field",
		"--%s: %q is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z.", flag, text).WithField(flag)
}

type eventsListCommand struct {
	remote
	eventFlags
	Limit int `default:"100" help:"Maximum number of results."`
}

func (c *eventsListCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	page, err := c.filter()
	if err != nil {
		return err
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	all := client.EventList{Events: []client.Event{}}
	for {
		page.Limit = min(c.Limit-len(all.Events), 100)
		list, err := cl.ListEvents(ctx, page)
		if err != nil {
			return err
		}
		all.Events, all.NextCursor = append(all.Events, list.Events...), list.NextCursor
		if list.NextCursor == nil || len(all.Events) >= c.Limit {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, e := range all.Events {
			rows = append(rows, []string{fmt.Sprint(e.Sequence), day(e.At), named(e.Actor, e.ActorName), e.Action,
				named(e.Target, e.TargetName), eventData(e.Data)})
		}
		return printTable(w, []string{"NO.", "AT", "ACTOR", "ACTION", "TARGET", "DATA"}, rows)
	})
}

// named returns an id with its name, if known.
func named(id string, name *string) string {
	if name == nil {
		return id
	}
	return fmt.Sprintf("%s (%s)", id, printable(*name))
}

// eventData returns the data of an event on one line, sorted by name.
func eventData(data map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(data)) {
		if data[k] != "" {
			out = append(out, printable(k+"="+data[k]))
		}
	}
	return orDash(strings.Join(out, " "))
}

// printable replaces control characters, so that text written by others cannot move the cursor or break the lines of a
// table.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

type eventsExportCommand struct {
	remote
	eventFlags
	Format string `enum:"ndjson,csv," default:"" placeholder:"FORMAT" help:"ndjson or csv. Default: from the file name extension of --out, otherwise ndjson."`
	Out    string `placeholder:"FILE" help:"File to write. Default: standard output."`
}

// Help returns the long description.
func (eventsExportCommand) Help() string {
	return `The file appears at --out only when it is complete. Each ndjson line has everything that its hash covers, so the log can be verified without the server.

    lectern events export --out events.ndjson
    lectern events export --action key --since 2026-01-01 --out keys.csv`
}

func (c *eventsExportCommand) Run(ctx context.Context, r *run) error {
	filter, err := c.filter()
	if err != nil {
		return err
	}
	format := c.Format
	if format == "" {
		format = "ndjson"
		if strings.HasSuffix(strings.ToLower(c.Out), ".csv") {
			format = "csv"
		}
	}
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	params := client.ExportEventsParams{Actor: filter.Actor, Action: filter.Action, Target: filter.Target,
		Since: filter.Since, Until: filter.Until, Format: format}
	if c.Out == "" {
		return cl.ExportEvents(ctx, params, r.Stdout)
	}
	file, err := openFile(c.Out, id.Source{Rand: r.Rand}.New(".partial-"))
	if err != nil {
		return err
	}
	if err := cl.ExportEvents(ctx, params, file); err != nil {
		return errors.Join(err, file.abandon())
	}
	size, sha, err := file.commit()
	if err != nil {
		return err
	}
	result := map[string]any{"out": c.Out, "format": format, "sizeBytes": size, "sha256": sha}
	return c.result(r, result, line(fmt.Sprintf("%s (%d bytes, sha256 %s)", c.Out, size, sha)))
}

type eventsCheckCommand struct{ remote }

// Help returns the long description.
func (eventsCheckCommand) Help() string {
	return `The server recomputes the hash of every event. The command prints the newest hash: keep it elsewhere to prove later that no earlier event was changed. Exits with 1 if an event was changed.

    lectern events check`
}

func (c *eventsCheckCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	got, err := cl.CheckEvents(ctx)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s, none modified. The newest has the hash %s", count(int(got.Events), "event"),
		orDash(got.Hash))
	if !got.Intact {
		text = fmt.Sprintf("The audit log was modified. %s %s before it are intact.", orNone(got.Problem),
			count(int(got.Events), "event"))
	}
	if err := c.result(r, got, line(text)); err != nil {
		return err
	}
	if !got.Intact {
		return errReported
	}
	return nil
}
