package adminapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// eventLineJSON is an exported audit log record: everything that its hash covers.
type eventLineJSON struct {
	EventID        string            `json:"eventId"`
	OrganizationID string            `json:"organizationId"`
	Sequence       int64             `json:"sequence"`
	At             time.Time         `json:"at"`
	Actor          string            `json:"actor"`
	Action         string            `json:"action"`
	Target         string            `json:"target"`
	RequestID      *string           `json:"requestId"`
	Data           map[string]string `json:"data"`
	PrevHash       string            `json:"prevHash"`
	Hash           string            `json:"hash"`
}

// eventFormat is a file format of exports.
type eventFormat struct {
	contentType, extension string
	head                   []byte
	line                   func(*bytes.Buffer, event.Event) error
}

func eventFormats() []eventFormat {
	head := csvLine([]string{"sequence", "at", "actor", "action", "target", "data", "requestId", "eventId",
		"organizationId", "prevHash", "hash"})
	return []eventFormat{
		{"application/x-ndjson", "ndjson", nil, writeEventJSON},
		{"text/csv; charset=utf-8", "csv", head, writeEventCSV},
	}
}

func (c *call) eventFormat() (eventFormat, error) {
	q, err := c.query()
	if err != nil {
		return eventFormat{}, err
	}
	for _, f := range eventFormats() {
		if v := q.Get("format"); v == f.extension || v == "" {
			return f, nil
		}
	}
	return eventFormat{}, fault.New(fault.Invalid, "invalid_field", "format must be ndjson or csv.").WithField("format")
}

// exportEvents writes the audit log to a file in batches, oldest first.
func (a *api) exportEvents(c *call) (response, error) {
	format, err := c.eventFormat()
	if err != nil {
		return response{}, err
	}
	filter, err := c.eventFilter()
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.EventsAfter(c.ctx(), c.org(), filter, 0, eventBatch)
	if err != nil {
		return response{}, err
	}
	c.unbound()
	h := c.w.Header()
	h.Set("Content-Type", format.contentType)
	h.Set("Content-Disposition",
		`attachment; filename="events-`+a.Now().UTC().Format("2006-01-02")+"."+format.extension+`"`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	c.w.WriteHeader(http.StatusOK)
	s := &stream{w: c.w, ctl: http.NewResponseController(c.w)}
	buf := bytes.NewBuffer(format.head)
	for err == nil {
		for _, e := range list {
			if err = format.line(buf, e); err != nil {
				break
			}
		}
		if err == nil {
			err = s.put(buf.Bytes())
		}
		if err != nil || len(list) < eventBatch {
			break
		}
		buf.Reset()
		if err = a.stillAllowed(c); err == nil {
			list, err = a.Store.EventsAfter(c.ctx(), c.org(), filter, list[len(list)-1].Sequence, eventBatch)
		}
	}
	if err != nil {
		s.breakOff()
	}
	return response{streamed: true}, ignoreGone(c, err)
}

func writeEventJSON(into *bytes.Buffer, e event.Event) error {
	raw, err := encode(eventLineJSON{EventID: e.ID, OrganizationID: e.OrganizationID, Sequence: e.Sequence,
		At: stamp(e.At), Actor: e.Actor, Action: e.Action,
		Target: e.Target, RequestID: orNull(e.RequestID), Data: e.Data, PrevHash: e.PrevHash, Hash: e.Hash})
	into.Write(raw)
	return err
}

func writeEventCSV(into *bytes.Buffer, e event.Event) error {
	data, err := json.Marshal(e.Data)
	if err != nil {
		return err
	}
	into.Write(csvLine([]string{strconv.FormatInt(e.Sequence, 10), stamp(e.At).Format(time.RFC3339Nano), e.Actor,
		e.Action, e.Target, string(data), e.RequestID,
		e.ID, e.OrganizationID, e.PrevHash, e.Hash}))
	return nil
}

// csvLine returns one line. Spreadsheets evaluate cells that look like formulas, and events contain text from callers;
// such cells are prefixed with an apostrophe, which marks them as text. In some locales spreadsheets split lines at
// semicolons, so cells with a semicolon are quoted too.
func csvLine(cells []string) []byte {
	for i, cell := range cells {
		if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
			cells[i] = "'" + cell
		}
	}
	var b bytes.Buffer
	for i, cell := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.ContainsAny(cell, ",;\"\r\n\t") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		b.WriteString(cell)
	}
	b.WriteByte('\n')
	return b.Bytes()
}
