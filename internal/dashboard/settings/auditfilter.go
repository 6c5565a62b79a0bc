package settings

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// auditFilter is the filter of the audit log from the URL.
type auditFilter struct{ Actor, Action, Target, Since, Until string }

const dateForm = "2006-01-02"

func readAuditFilter(v *shell.Visit) auditFilter {
	word := func(name string) string { return strings.TrimSpace(v.Query(name)) }
	return auditFilter{word("actor"), word("action"), word("target"), word("since"), word("until")}
}

// Empty reports whether there is no filter.
func (f auditFilter) Empty() bool { return f == auditFilter{} }

// events converts the filter to API parameters. Days are UTC, and the last one is included.
func (f auditFilter) events() (out client.ListEventsParams, pageErr *shell.PageError) {
	out = client.ListEventsParams{Actor: f.Actor, Action: f.Action, Target: f.Target}
	for _, day := range []struct {
		name, text string
		into       *time.Time
		add        int
	}{{"since", f.Since, &out.Since, 0}, {"until", f.Until, &out.Until, 1}} {
		if day.text == "" {
			continue
		}
		at, err := time.Parse(dateForm, day.text)
		if err != nil {
			return out, &shell.PageError{Status: http.StatusBadRequest, Code: "invalid_field",
				Message: "A date in the filter is not valid.",
				Fields:  map[string]string{day.name: "Write a date such as 2026-01-31."}}
		}
		*day.into = at.AddDate(0, 0, day.add)
	}
	return out, nil
}

// values returns the filter as a query of the dashboard.
func (f auditFilter) values() url.Values {
	return given(map[string]string{"actor": f.Actor, "action": f.Action, "target": f.Target, "since": f.Since,
		"until": f.Until})
}

// call returns the URL of an admin API request with this filter.
func (f auditFilter) call(path, format string) string {
	e, pageErr := f.events()
	if pageErr != nil {
		return path
	}
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339)
	}
	q := given(map[string]string{"format": format, "actor": e.Actor, "action": e.Action, "target": e.Target,
		"since": stamp(e.Since), "until": stamp(e.Until)})
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// Export returns the URL of the export in a format.
func (f auditFilter) Export(format string) string {
	q := f.values()
	q.Set("format", format)
	return auditPath + "/export?" + q.Encode()
}

// Older returns the URL of the page after a cursor.
func (f auditFilter) Older(cursor string) string {
	q := f.values()
	q.Set("cursor", cursor)
	return auditPath + "?" + q.Encode()
}

// List and File return the equivalent API requests.
func (f auditFilter) List() string              { return f.call("/v1/events", "") }
func (f auditFilter) File(format string) string { return f.call("/v1/events/export", format) }

// given returns the entries that are not empty.
func given(in map[string]string) url.Values {
	out := url.Values{}
	for name, v := range in {
		if v != "" {
			out.Set(name, v)
		}
	}
	return out
}
