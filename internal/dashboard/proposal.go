package dashboard

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/draft"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/proposal"
	"github.com/lectern-docs/lectern/internal/slug"
)

// ProposalsPath is below which proposals have their pages. Whoever has the link of one may read it: its id cannot be guessed.
const ProposalsPath = AssetPath + "proposals/"

// formPolicy lets a page send its own forms to this server, and run nothing.
const formPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

//go:embed proposal.html
var proposalText string

// Proposed is a proposal as its page shows it.
type Proposed struct {
	proposal.Proposal
	Project string // its name
	Changes []draft.Change
	Unseen  string // why the changes cannot be shown, a sentence; "" = they are
	Preview string // address of the site with the changes; "" = there is none, or not yet
	Job     string // id of the agent job that made it; "" = another way
}

// Proposals finds proposals. A missing one is a not-found fault.
type Proposals func(ctx context.Context, proposalID string) (Proposed, error)

const (
	shownFiles = 100    // in full
	shownLines = 10_000 // of all of them together
)

// filePage is a changed file on the page.
type filePage struct {
	Path, Kind string
	Page       string // address of the page in the preview; "" = none
	Lines      []linePage
	Added      int
	Removed    int
	Note       string // instead of lines
}

// linePage is a line of a file, or the head of a hunk (Kind "gap").
type linePage struct {
	Kind     string // gap, same, old, new
	Old, New int    // 0 = it has none on that side
	Text     string
	Parts    []partPage // of the text, where words of it changed; nil = it is shown whole
}

// proposalPage is what the page is made of.
type proposalPage struct {
	Assets, Version string
	Proposed
	Said           []block
	Files          []filePage
	More           int // changed files that are not shown
	Added, Removed int
	Trouble        string
	Action         string // path to which its forms are sent
	Open           bool
	When           string // for people
	Stamp          string // for machines
}

func (b *board) serveProposal(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", formPolicy)
	h.Set("Cache-Control", "no-store") // the link is a secret, and the state changes
	rest := strings.TrimPrefix(r.URL.Path, ProposalsPath)
	proposalID, action, _ := strings.Cut(rest, "/")
	if !id.Has(id.Proposal, proposalID) || b.Proposals == nil {
		http.Error(w, "There is nothing here.", http.StatusNotFound)
		return
	}
	p, err := b.Proposals(r.Context(), proposalID)
	switch {
	case fault.Is(err, fault.NotFound):
		http.Error(w, "There is no such proposal.", http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, "The proposal cannot be shown now. Try again in a moment.", http.StatusServiceUnavailable)
		return
	}
	switch {
	case action == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		b.showProposal(w, http.StatusOK, p, "")
	case (action == "merge" || action == "close") && r.Method == http.MethodPost:
		b.decide(w, r, p, action)
	default:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This page answers GET only.", http.StatusMethodNotAllowed)
	}
}

const maxForm = 4 << 10 // bytes

// decide merges or closes by the admin API, with the key that the form brings: same rules, same audit trail. There is no cookie that another
// site's form could use.
func (b *board) decide(w http.ResponseWriter, r *http.Request, p Proposed, action string) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		b.showProposal(w, http.StatusBadRequest, p, "The form could not be read.")
		return
	}
	call := r.Clone(r.Context())
	call.URL = &url.URL{Path: path.Join("/v2/agent", p.ProjectID, "proposal", p.ID, action)}
	call.RequestURI = call.URL.Path
	call.Body, call.ContentLength, call.Form, call.PostForm = http.NoBody, 0, nil, nil
	call.Header = http.Header{"Authorization": {"Bearer " + strings.TrimSpace(r.PostForm.Get("key"))}, "User-Agent": r.Header["User-Agent"]}
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} { // the API sees the same caller
		if v := r.Header[name]; v != nil {
			call.Header[name] = v
		}
	}
	answer := &caught{header: http.Header{}, status: http.StatusOK}
	b.API.ServeHTTP(answer, call)
	if answer.status < 300 {
		http.Redirect(w, r, ProposalsPath+p.ID, http.StatusSeeOther)
		return
	}
	var told struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(answer.body.Bytes(), &told) // without a sentence there is still a status
	if told.Error == "" {
		told.Error = "It did not work: " + http.StatusText(answer.status) + "."
	}
	b.showProposal(w, answer.status, p, told.Error)
}

// caught keeps an answer of the API.
type caught struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *caught) Header() http.Header         { return c.header }
func (c *caught) WriteHeader(status int)      { c.status = status }
func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }

func (b *board) showProposal(w http.ResponseWriter, status int, p Proposed, trouble string) {
	page := proposalPage{Assets: AssetPath, Version: b.Version, Proposed: p, Said: blocksOf(p.Body), Trouble: trouble, Action: ProposalsPath + p.ID, Open: p.State == proposal.Open,
		When: p.CreatedAt.UTC().Format("2 January 2006, 15:04 UTC"), Stamp: p.CreatedAt.UTC().Format(time.RFC3339)}
	room := shownLines
	for i, c := range p.Changes {
		if i == shownFiles {
			page.More = len(p.Changes) - i
			break
		}
		f := fileOf(c, p.Preview, &room)
		page.Added, page.Removed = page.Added+f.Added, page.Removed+f.Removed
		page.Files = append(page.Files, f)
	}
	var out bytes.Buffer
	if err := b.proposal.Execute(&out, page); err != nil {
		panic("dashboard: render proposal: " + err.Error()) // strings always render
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // the reader has gone: nobody is left to tell
}

// fileOf lays a change out, as far as there is room for its lines.
func fileOf(c draft.Change, preview string, room *int) filePage {
	f := filePage{Path: c.Path, Kind: c.Kind()}
	if ext := path.Ext(c.Path); preview != "" && c.After != nil && (ext == ".mdx" || ext == ".md") {
		f.Page = strings.TrimSuffix(preview, "/") + "/" + (&url.URL{Path: slug.Page(c.Path)}).EscapedPath()
	}
	if !c.Text() {
		f.Note = "This file is no text."
		return f
	}
	for _, h := range c.Hunks() {
		f.Lines = append(f.Lines, linePage{Kind: "gap"})
		old, fresh := h.Old, h.New
		for _, l := range h.Lines {
			line := linePage{Text: strings.TrimRight(l.Text, "\r\n")}
			switch l.Kind {
			case '-':
				line.Kind, line.Old = "old", old
				old++
				f.Removed++
			case '+':
				line.Kind, line.New = "new", fresh
				fresh++
				f.Added++
			default:
				line.Kind, line.Old, line.New = "same", old, fresh
				old++
				fresh++
			}
			f.Lines = append(f.Lines, line)
		}
	}
	mark(f.Lines)
	if *room -= len(f.Lines); *room < 0 {
		f.Lines, f.Note = nil, "There are too many changes to show this file's."
	}
	return f
}

func newProposalPage() *template.Template {
	return template.Must(template.New("proposal").Parse(proposalText))
}
