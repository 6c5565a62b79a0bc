package analytics

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// FeedbackStore stores readers' feedback; the store implements it.
type FeedbackStore interface {
	AddFeedback(ctx context.Context, f audience.Feedback) (made bool, err error)
}

// Feedback returns the endpoint for readers' feedback on a page.
func (b *Beacon) Feedback() siteapi.Endpoint { return feedbackEndpoint{b} }

type feedbackEndpoint struct{ *Beacon }

// ServeSite stores a reader's feedback. In a preview it stores nothing but sends the same response, so that the form
// can be tried.
func (d feedbackEndpoint) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	if !post(w, r) {
		return
	}
	if err := d.take(w, r, s); err != nil {
		if _, ok := fault.As(err); !ok {
			d.Logger.ErrorContext(r.Context(), "failed to store feedback", "project", s.ProjectID, "error", err)
		}
		siteapi.RefuseFault(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (d feedbackEndpoint) take(w http.ResponseWriter, r *http.Request, s siteapi.Site) error {
	from := d.Proxies.Caller(r)
	if err := d.remarks.Take(r.Context(), siteapi.CallerKey(from), w.Header()); err != nil {
		return err
	}
	if err := d.networks.Take(r.Context(), s.ProjectID+" "+audience.Network(from), http.Header{}); err != nil {
		return err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return fault.Newf(fault.TooLarge, "body_too_large", "Feedback may have at most %d bytes.", maxBody)
	}
	var in struct {
		Path     string `json:"path"`
		Helpful  *bool  `json:"helpful"`
		Comment  string `json:"comment"`
		Code     string `json:"code"`
		Filename string `json:"filename"`
		Lang     string `json:"lang"`
		Contact  string `json:"contact"`
		// created by the page for each view: links a thumbs-up or thumbs-down to the comment that follows it
		Once string `json:"once"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return fault.New(fault.Invalid, "invalid_json", "The body is not valid JSON.").WithCause(err)
	}
	f, ok := audience.Feedback{ProjectID: s.ProjectID, Path: page(in.Path), Helpful: in.Helpful, Comment: in.Comment,
		Code: in.Code, Filename: in.Filename, Lang: in.Lang, Contact: in.Contact}.Clean()
	if !ok {
		return fault.New(fault.Invalid, "invalid_field",
			"Feedback must have the path of a page and at least one of helpful, comment and code.").WithField("path")
	}
	if s.ProjectID == "" || s.Preview {
		return nil
	}
	if d.readers.Find(r.UserAgent()).Class != audience.Human {
		f.Source = audience.ByAgent
	}
	if d.counts(r, s) { // feedback without a mark is stored too, but not grouped
		f.Mark = markOf(in.Once, f.Path)
	}
	made, err := d.FeedbackStore.AddFeedback(r.Context(), f)
	if err == nil && made {
		d.Counter.Record(audience.Event{ProjectID: s.ProjectID, At: d.Now(), Kind: audience.Suggestion, Path: f.Path})
	}
	return err
}

// markOf returns the mark that groups the feedback from one page view. If once has the wrong length, the mark is 0,
// which groups nothing.
func markOf(once, path string) audience.Mark {
	if len(once) < 16 || len(once) > 64 {
		return 0
	}
	sum := sha256.Sum256([]byte(once))
	return audience.MarkOf([8]byte(sum[:8]), "feedback", path)
}
