package assistanthttp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Options configure New.
type Options struct {
	Conversations *assistant.Conversations
	Limiter       *Limiter
	Proxies       auth.Proxies
	Counter       auth.Counter // counts across all processes; nil = this is the only one
	Now           func() time.Time
	PerVisitor    int      // questions per hour, and the same number of ratings; 0 = unlimited
	Origins       []string // other sites that may show the widget
}

// Handler serves every site. Between requests it keeps only counts. It is safe for concurrent use.
type Handler struct {
	conversations *assistant.Conversations
	proxies       auth.Proxies
	limiter       *Limiter
	readers       *auth.Rate
	raters        *auth.Rate
	origins       []string
}

// New creates the handler.
func New(opt Options) *Handler {
	d := &Handler{conversations: opt.Conversations, limiter: opt.Limiter, proxies: opt.Proxies,
		readers: auth.NewHourly(opt.PerVisitor, "each reader", opt.Counter, opt.Now),
		raters:  auth.NewHourly(opt.PerVisitor, "each reader's ratings", opt.Counter, opt.Now)}
	for _, o := range opt.Origins {
		d.origins = append(d.origins, strings.ToLower(strings.TrimRight(o, "/")))
	}
	return d
}

// ServeSite handles requests to a site's assistant.
func (d *Handler) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
	if !d.admit(w, r) {
		siteapi.Refuse(w, http.StatusForbidden, "origin_not_allowed",
			"Pages of this origin may not use the assistant of this site.")
		return
	}
	var answer func(http.ResponseWriter, *http.Request, siteapi.Site) error
	allow := ""
	switch r.URL.Path {
	case capability.AskPath:
		allow = "GET, POST, OPTIONS"
		switch r.Method {
		case http.MethodGet:
			answer = d.hello
		case http.MethodPost:
			answer = d.ask
		}
	case capability.AskPath + "/feedback":
		if allow = "POST, OPTIONS"; r.Method == http.MethodPost {
			answer = d.rate
		}
	default:
		siteapi.Refuse(w, http.StatusNotFound, "unknown_route", "Path not found.")
		return
	}
	switch {
	case r.Method == http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
	case answer == nil:
		h.Set("Allow", allow)
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "This path only supports "+allow+".")
	default:
		if err := answer(w, r, s); err != nil {
			siteapi.RefuseFault(w, err)
		}
	}
}

// admit accepts requests from pages of the site itself and of the operator's other sites. The assistant's settings may
// also be read without an Origin header, because browsers do not send it with a GET to the page's own server.
func (d *Handler) admit(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if siteapi.OwnPage(r) ||
		origin == "" && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Site") != "cross-site" {
		return true
	}
	u, err := url.Parse(strings.ToLower(origin))
	if err != nil || u.Host == "" || !slices.Contains(d.origins, u.Scheme+"://"+u.Host) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Content-Type, Accept")
	h.Set("Access-Control-Expose-Headers", "Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset")
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return true
}

// hello returns the assistant's mode and settings.
func (d *Handler) hello(w http.ResponseWriter, r *http.Request, s siteapi.Site) error {
	questions := assistant.Questions(r.Context(), s.Library)
	if questions == nil {
		questions = []string{}
	}
	w.Header().Set("Content-Type", "application/json")
	// Encode fails only if the caller has disconnected.
	_ = json.NewEncoder(w).Encode(map[string]any{"mode": d.conversations.Mode(), "questions": questions,
		"feedback": d.conversations.Keeps() && !s.Preview})
	return nil
}

// counted returns the keys under which a request is counted: one for the site and one for the reader on that site.
func (d *Handler) counted(r *http.Request, s siteapi.Site) (site, reader string) {
	if site = s.ProjectID; site == "" {
		site = s.Host
	}
	return site, site + " " + siteapi.CallerKey(d.proxies.Caller(r))
}

func (d *Handler) ask(w http.ResponseWriter, r *http.Request, s siteapi.Site) error {
	site, reader := d.counted(r, s)
	if err := d.readers.Take(r.Context(), reader, w.Header()); err != nil {
		return err
	}
	raw, err := ReadBody(w, r)
	if err != nil {
		return err
	}
	in, err := ParseAsk(raw)
	if err != nil {
		return err
	}
	release, err := d.limiter.Admit(r.Context(), site, reader, w.Header())
	if err != nil {
		return err
	}
	defer release()
	v := visit(r, s)
	v.Thread = in.Thread
	// A reader is identified by what the server sees, because clients can choose any chat id. Only the part of the
	// address that the visit counter uses is included. On a private site, the key includes the person and their
	// groups, which decide what pages they see, because a chat contains answers from these pages.
	who := siteapi.ReaderOf(r)
	v.Thread.Reader = fmt.Sprintf("%q", append([]string{audience.Network(d.proxies.Caller(r)), r.UserAgent(), who.Subject},
		who.Groups...))
	talk, err := d.conversations.Open(r.Context(), v)
	if err != nil {
		return err
	}
	d.limiter.Answer(r.Context(), w, d.conversations, talk, in.Question, Reply{})
	return nil
}

func visit(r *http.Request, s siteapi.Site) assistant.Visit {
	return assistant.Visit{ProjectID: s.ProjectID, Preview: s.Preview, Library: s.Library, Caller: callerOf(r),
		Silent: audience.Silent(r.Header.Get("DNT"), r.Header.Get("Sec-GPC"))}
}

// callerOf distinguishes pages from other programs. Without TLS browsers do not send Sec-Fetch-Site; then the user
// agent decides.
func callerOf(r *http.Request) conversation.Caller {
	if r.Header.Get("Sec-Fetch-Site") == "" && !strings.HasPrefix(r.UserAgent(), "Mozilla/") {
		return conversation.Other
	}
	return conversation.Web
}

// rate stores a reader's rating of an answer.
func (d *Handler) rate(w http.ResponseWriter, r *http.Request, s siteapi.Site) error {
	_, reader := d.counted(r, s)
	if err := d.raters.Take(r.Context(), reader, w.Header()); err != nil {
		return err
	}
	raw, err := ReadBody(w, r)
	if err != nil {
		return err
	}
	var in struct {
		ThreadID  string `json:"threadId" required:"true"`
		MessageID string `json:"messageId" required:"true"`
		Helpful   *bool  `json:"helpful" required:"true"`
		Comment   string `json:"comment"`
	}
	if err := jsonbody.Decode(raw, &in); err != nil {
		return err
	}
	if len(in.Comment) > 4*conversation.MaxComment {
		return fault.Newf(fault.Invalid, "invalid_field", "comment may have at most %d characters.",
			conversation.MaxComment).WithField("comment")
	}
	if err := d.conversations.Rate(r.Context(), visit(r, s), in.ThreadID, in.MessageID, *in.Helpful,
		in.Comment); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
