package devserve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// Options configures a Server.
type Options struct {
	Live      *build.Live
	Source    fs.FS                       // the docs folder, for excerpts
	Endpoints map[string]siteapi.Endpoint // endpoints of the site, by path
	Hosts     []string                    // accepted host names, in addition to those of this machine
	Now       func() time.Time            // for durations
	Say       func(line string)
	Passed    func()        // called after each build of the whole site; may be nil
	Quiet     time.Duration // time without changes before the whole site is built in the background; 0 = 300 ms
}

// Server is the preview. Run must run while an HTTP server uses Handler.
type Server struct {
	opt   Options
	live  *build.Live
	hub   *hub
	again chan struct{} // requests a pass; capacity one

	mu       sync.Mutex
	whole    map[string]output.File // files from the last pass that are generated only by a pass
	older    map[string]output.File // files from the previous pass: open pages may still request them
	passed   chan struct{}          // closed after the first pass, even if it failed
	findings diag.List              // for the whole site: from the last pass, or from the scan after it
	checked  bool                   // nothing has changed since that pass
	broken   diag.List              // diagnostics of an invalid site file
	reported map[diag.Diagnostic]bool
	stop     context.CancelFunc // cancels the running pass; may be nil
}

// New returns a Server. Call Changed with nil before the first request.
func New(opt Options) *Server {
	if opt.Quiet <= 0 {
		opt.Quiet = 300 * time.Millisecond
	}
	return &Server{
		opt: opt, live: opt.Live, hub: newHub(), again: make(chan struct{}, 1), passed: make(chan struct{}),
		reported: map[diag.Diagnostic]bool{},
	}
}

// Changed updates the site after a change of these files (nil = any files) and notifies browsers.
func (s *Server) Changed(ctx context.Context, files []string) error {
	started := s.opt.Now()
	s.mu.Lock()
	if s.stop != nil {
		s.stop() // its results would be outdated
	}
	s.checked = false
	s.mu.Unlock()
	c, err := s.live.Update(ctx, files)
	if err != nil {
		return err
	}
	if c.Whole {
		if err := s.live.Ready(ctx); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.broken = nil
	if c.Kept {
		s.broken = slices.DeleteFunc(slices.Clone(c.Findings),
			func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	}
	s.mu.Unlock()
	if first := files == nil && s.hub.rev() == 0; !first {
		s.printChange(files, c, s.opt.Now().Sub(started))
	}
	if c.Kept {
		s.report(c.Findings)
	}
	s.hub.send(news{Whole: c.Whole || c.Kept || c.Assets, Pages: s.addresses(c.Pages), Findings: c.Kept})
	select {
	case s.again <- struct{}{}:
	default: // already requested
	}
	return nil
}

// addresses returns the URL paths of pages.
func (s *Server) addresses(pages []string) (out []string) {
	home := s.live.Home()
	for _, p := range pages {
		out = append(out, route.Clean(p))
		if p == home && p != "index" {
			out = append(out, "/")
		}
	}
	return out
}

// Run builds the whole site in the background after each change, until ctx ends.
func (s *Server) Run(ctx context.Context) {
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case <-s.again:
		}
		if !first && !s.quiet(ctx) {
			return
		}
		if err := s.pass(ctx); err != nil && ctx.Err() == nil {
			s.opt.Say("The site could not be built: " + err.Error())
		}
	}
}

// quiet waits until there have been no changes for a while; it returns false if ctx ends.
func (s *Server) quiet(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-s.again:
		case <-time.After(s.opt.Quiet):
			return true
		}
	}
}

// keep is a sink that keeps the files that are generated only by a pass.
type keep struct {
	live  *build.Live
	files map[string]output.File
}

// Put implements output.Sink.
func (k keep) Put(_ context.Context, f output.File) error {
	if !k.live.IsPage(f.Path) {
		k.files[f.Path] = f
	}
	return nil
}

// pass builds everything with one worker, so that pages requested by the browser have priority.
func (s *Server) pass(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.stop = cancel
	s.mu.Unlock()
	sink := keep{s.live, map[string]output.File{}}
	report, err := s.live.Pass(ctx, 1, sink)
	if ctx.Err() != nil { // a change canceled it, and requested another pass
		return nil
	}
	s.mu.Lock()
	select {
	case <-s.passed:
	default:
		// Close it even after a failure, because the next pass starts only after the next change.
		close(s.passed)
	}
	if err != nil {
		s.mu.Unlock()
		if errors.Is(err, build.ErrChanged) {
			return nil
		}
		return fmt.Errorf("build in the background: %w", err)
	}
	s.older, s.whole, s.findings, s.checked, s.stop = s.whole, sink.files, report.Diagnostics, true, nil
	s.mu.Unlock()
	s.report(report.Diagnostics)
	s.hub.send(news{Findings: true})
	if s.opt.Passed != nil {
		s.opt.Passed()
	}
	return nil
}

// printChange prints a line about a change.
func (s *Server) printChange(files []string, c build.Change, took time.Duration) {
	what := "reloaded everything"
	if n := len(files); n > 0 {
		what = strings.Join(files[:min(n, 3)], ", ")
		if n > 3 {
			what += fmt.Sprintf(" and %d more", n-3)
		}
	}
	if c.Kept {
		what += ": invalid, keeping the last good state"
	}
	s.opt.Say(fmt.Sprintf("%s  %s (%d ms)", s.opt.Now().Format(time.TimeOnly), what, took.Milliseconds()))
}

// report prints new findings.
func (s *Server) report(list diag.List) {
	s.mu.Lock()
	now := make(map[diag.Diagnostic]bool, len(list))
	var fresh diag.List
	for _, d := range list {
		now[d] = true
		if !s.reported[d] {
			fresh = append(fresh, d)
		}
	}
	fixed := 0
	for d := range s.reported {
		if !now[d] {
			fixed++
		}
	}
	s.reported = now
	s.mu.Unlock()
	const most = 10 // lines; the overlay and lectern check show all findings
	for i, d := range fresh {
		if i == most {
			s.opt.Say(fmt.Sprintf("  and %d more; lectern check lists them all", len(fresh)-most))
			break
		}
		s.opt.Say("  " + d.String())
		if d.Hint != "" {
			s.opt.Say("      hint: " + d.Hint)
		}
	}
	if fixed > 0 {
		s.opt.Say(fmt.Sprintf("  %d fixed", fixed))
	}
}

// Handler returns the handler for the author's browser.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"events", s.events)
	mux.HandleFunc("GET "+prefix+"findings", s.pageFindings)
	mux.HandleFunc("GET "+prefix+"{file}", clientFile)
	mux.HandleFunc("/", s.site)
	return guard(s.opt.Hosts, mux)
}
