package blockreport

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/blocked"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Limits: reports a minute from one address and about one site, and bytes of one report. Those above are dropped:
// browsers repeat them with the next page.
const (
	perCaller = 60
	perSite   = 300
	maxBody   = 16 << 10
)

// Store keeps what was reported.
type Store interface {
	AddBlocked(ctx context.Context, e blocked.Entry) error
}

// Options configure New.
type Options struct {
	Store   Store
	Proxies auth.Proxies
	Now     func() time.Time
	Logger  *slog.Logger
}

type endpoint struct {
	Options
	callers, sites *auth.Rate
	senders        *senders
}

// New makes the endpoint. Limits are counted by each process alone: they bound its work, no more.
func New(opt Options) siteapi.Endpoint {
	return &endpoint{opt, auth.NewRate(perCaller, nil, opt.Now), auth.NewRate(perSite, nil, opt.Now), newSenders(opt.Now)}
}

// ServeSite takes a report. It answers 204 whatever it did with it: there is nothing that a browser could do better,
// and nothing that an anonymous caller should learn.
func (d *endpoint) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "This address only takes reports (POST).")
		return
	}
	defer w.WriteHeader(http.StatusNoContent)
	caller := siteapi.CallerKey(d.Proxies.Caller(r))
	if s.ProjectID == "" || !siteapi.OwnPage(r) || d.limited(r.Context(), caller, s) {
		return
	}
	e, ok := read(http.MaxBytesReader(w, r.Body, maxBody), s.ProjectID)
	if !ok {
		return
	}
	first, ok := d.senders.add(caller, e)
	if !ok {
		return
	}
	if first {
		e.Reports = 1
	}
	if err := d.Store.AddBlocked(r.Context(), e); err != nil && r.Context().Err() == nil &&
		!fault.Is(err, fault.NotFound) {
		d.Logger.Warn("store blocked source", "project", s.ProjectID, "error", err)
	}
}

func (d *endpoint) limited(ctx context.Context, caller string, s siteapi.Site) bool {
	return d.callers.Take(ctx, caller, http.Header{}) != nil || d.sites.Take(ctx, s.ProjectID, http.Header{}) != nil
}

// read parses a report as browsers send it for report-uri.
func read(body io.Reader, projectID string) (e blocked.Entry, ok bool) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return e, false
	}
	var in struct {
		Report struct {
			Page      string `json:"document-uri"`
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"` // what browsers without the other one send
			Blocked   string `json:"blocked-uri"`
		} `json:"csp-report"`
	}
	if json.Unmarshal(raw, &in) != nil {
		return e, false
	}
	directive := in.Report.Effective
	if directive == "" {
		directive = in.Report.Violated
	}
	return blocked.New(projectID, directive, in.Report.Blocked, in.Report.Page)
}
