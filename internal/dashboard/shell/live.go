package shell

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/inprocess"
)

const (
	livePath   = Path + "live"
	liveHeader = "Lectern-Live" // on automatic requests by a page's script, see live.ts

	liveWrite = 30 * time.Second // how long a client may take to accept an event
	liveBeat  = 15 * time.Second // interval of keep-alives

	liveSlowest = 8 // maximum factor of the poll interval for pages without changes
)

// Live notifies a page when it has changed. It renders the page repeatedly as the user would see it, so that any
// page can be live without a separate mechanism to detect changes, whichever replica does the work. The browser then
// fetches the changes.
func (b *Board) Live(v *Visit) error {
	target, err := b.followed(v.Query("page"))
	if err != nil {
		return err
	}
	if !b.streams.enter(v.Person.ID) {
		return fault.New(fault.RateLimited, "too_many_streams", "Too many of your pages have live updates.").
			WithHint("Close some of them.").WithRetryAfter(liveBeat)
	}
	defer b.streams.leave(v.Person.ID)
	h := v.W.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // asks proxies not to buffer events
	v.W.WriteHeader(http.StatusOK)
	v.streamChanges(target)
	return nil
}

// followed returns the page at a URL, if it supports live updates: others may be expensive, or have side effects.
func (b *Board) followed(address string) (*url.URL, error) {
	target, err := url.Parse(address)
	if err == nil && target.Scheme == "" && target.Opaque == "" && target.Host == "" && target.User == nil {
		if _, pattern := b.Mux.Handler(&http.Request{Method: http.MethodGet, URL: target}); b.live[pattern] {
			return target, nil
		}
	}
	return nil, fault.New(fault.Invalid, "invalid_field", "page is not the address of a page with live updates.").
		WithField("page")
}

// streamChanges sends an event whenever the page has changed, until the client disconnects, the page no longer exists
// or the server stops.
func (v *Visit) streamChanges(target *url.URL) {
	wait := v.B.LivePoll
	poll, beat := time.NewTimer(wait), time.NewTicker(liveBeat)
	defer poll.Stop()
	defer beat.Stop()
	last := ""
	for {
		mark, status := v.renderMark(target)
		switch {
		case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
			wait = v.B.LivePoll * liveSlowest // the server is overloaded; keep what the user sees
		case status != http.StatusOK:
			// the session ended, or the page no longer exists: a reload will show the reason
			_ = v.event("event: gone\ndata: \n\n")
			return
		case mark == last:
			wait = min(wait*3/2, v.B.LivePoll*liveSlowest)
		default:
			last, wait = mark, v.B.LivePoll
			if v.event("event: change\ndata: "+mark+"\n\n") != nil {
				return // the client has disconnected
			}
		}
		poll.Reset(wait)
		select {
		case <-v.Ctx().Done():
			return
		case <-v.B.Stopping:
			return
		case <-beat.C:
			if v.event(": still here\n\n") != nil {
				return
			}
		case <-poll.C:
		}
	}
}

// event sends an event immediately.
func (v *Visit) event(text string) error {
	ctl := http.NewResponseController(v.W)
	_ = ctl.SetWriteDeadline(time.Now().Add(liveWrite)) // not every writer supports deadlines
	if _, err := fmt.Fprint(v.W, text); err != nil {
		return err
	}
	return ctl.Flush()
}

// renderMark renders the page and returns a digest of its content, and its status. If the session has switched to
// another organization, the page counts as missing, because it would show that organization's data.
func (v *Visit) renderMark(target *url.URL) (mark string, status int) {
	if _, err := v.B.SignIn.Caller(v.Visit)(v.Ctx()); err != nil {
		return "", NewPageError(err).Status
	}
	r := v.R.Clone(v.Ctx())
	r.Method, r.URL, r.RequestURI, r.Body, r.Form, r.PostForm = http.MethodGet, target, target.RequestURI(),
		http.NoBody, nil, nil
	status, _, body := inprocess.Serve(v.B.Mux, r)
	sum := sha256.Sum256(bytes.TrimSpace(body))
	return fmt.Sprintf("%x", sum[:8]), status
}
