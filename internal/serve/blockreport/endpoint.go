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

// Limits: reports per minute from one address and for one site, and bytes per report. Excess reports are dropped:
// browsers send them again with the next page.
const (
	perCaller = 60
	perSite   = 300
	maxBody   = 16 << 10
)

// Store stores reports.
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

// New returns the endpoint. Each process counts limits separately: they only limit its own work.
func New(opt Options) siteapi.Endpoint {
	return &endpoint{opt, auth.NewRate(perCaller, nil, opt.Now), auth.NewRate(perSite, nil, opt.Now), newSenders(opt.Now)}
}

// ServeSite processes a report. It responds to every POST with 204: a browser could not react to an error, and an
// anonymous caller should learn nothing.
func (d *endpoint) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "This address only accepts reports (POST).")
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
		d.Logger.Warn("failed to store blocked source", "project", s.ProjectID, "error", err)
	}
}

func (d *endpoint) limited(ctx context.Context, caller string, s siteapi.Site) bool {
	return d.callers.Take(ctx, caller, http.Header{}) != nil || d.sites.Take(ctx, s.ProjectID, http.Header{}) != nil
}

// read parses a report in the report-uri format.
func read(body io.Reader, projectID string) (e blocked.Entry, ok bool) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return e, false
	}
	var in struct {
		Report struct {
			Page      string `json:"document-uri"`
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"` // sent by browsers that lack the field above
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
