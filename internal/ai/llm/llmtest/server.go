package llmtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
)

// Dialect is a wire format.
type Dialect string

// The wire formats.
const (
	Anthropic Dialect = "anthropic" // the Messages API
	OpenAI    Dialect = "openai"    // the Chat Completions API
)

// Habits are ways in which servers deviate from the Chat Completions API.
type Habits struct {
	NoIDs    bool // calls have no ids
	SameIDs  bool // ids restart from the beginning in every answer
	NoUsage  bool // tokens are not counted
	NoDone   bool // the stream ends without [DONE]
	NoIndex  bool // calls have no index and are sent whole
	Whole    bool // nothing is streamed
	Objects  bool // arguments are objects, not text
	StopOnly bool // finish_reason is stop, even if tools are called
}

// Options configures a server.
type Options struct {
	Dialect Dialect
	Script  Script
	Key     string // default "test-key"
	Model   string // default "scripted-1"
	Habits  Habits
}

// Server plays a script.
type Server struct {
	URL   string // address of the API's root, as drivers expect it
	Key   string
	Model string

	t         testing.TB
	opt       Options
	dialect   dialect
	elsewhere *httptest.Server // target of redirects; a request to it fails the test

	mu    sync.Mutex
	asks  []llm.Ask
	tries map[int]int // requests seen for each step
}

// dialect contains the differences between the two formats.
type dialect interface {
	path() string
	authorized(h http.Header, key string) error              // checks the headers except for the key
	key(h http.Header) string                                // the key that was sent
	read(body []byte) (ask llm.Ask, model string, err error) // strict
	write(p *pen, a llm.Completion, model string)
	failure(kind, text string) []byte
	filler() string // an event without content
}

// Start starts a server on loopback that is closed when the test ends. Requests that a real server would refuse fail
// the test, unless the script expects them.
func Start(t testing.TB, opt Options) *Server {
	t.Helper()
	if opt.Key == "" {
		opt.Key = "test-key"
	}
	if opt.Model == "" {
		opt.Model = "scripted-1"
	}
	s := &Server{t: t, opt: opt, Key: opt.Key, Model: opt.Model, tries: map[int]int{}}
	switch opt.Dialect {
	case Anthropic:
		s.dialect = anthropic{}
	case OpenAI:
		s.dialect = openai{habits: opt.Habits}
	default:
		t.Fatalf("unknown wire format %q", opt.Dialect)
	}
	server := httptest.NewServer(s)
	s.URL = server.URL
	s.elsewhere = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a request with headers %v followed a redirect to another host", r.Header)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		s.elsewhere.Close()
	})
	return s
}

// Asks returns the received requests in order, including those that were answered with a failure.
func (s *Server) Asks() []llm.Ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asks)
}

// Tries returns the number of requests for a step; steps count from 0.
func (s *Server) Tries(step int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries[step]
}

const maxBody = 64 << 20 // bytes of a request

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ask, model, err := s.check(r)
	if err != nil {
		s.t.Errorf("%s server: %v", s.opt.Dialect, err)
		s.refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	if s.dialect.key(r.Header) != s.opt.Key {
		s.refuse(w, http.StatusUnauthorized, "authentication_error", "invalid key "+s.dialect.key(r.Header))
		return
	}
	if model != s.opt.Model {
		s.refuse(w, http.StatusNotFound, "not_found_error", "model: "+model)
		return
	}
	place := 0
	for _, t := range ask.Turns {
		if t.From == llm.Assistant {
			place++
		}
	}
	s.mu.Lock()
	s.asks = append(s.asks, ask)
	try := s.tries[place]
	s.tries[place]++
	s.mu.Unlock()
	s.answer(w, r, ask, place, try)
}

func (s *Server) check(r *http.Request) (llm.Ask, string, error) {
	if r.Method != http.MethodPost || r.URL.Path != s.dialect.path() || r.URL.RawQuery != "" {
		return llm.Ask{}, "", fmt.Errorf("%s %s is not POST %s", r.Method, r.URL, s.dialect.path())
	}
	if got := r.Header.Get("Content-Type"); got != "application/json" {
		return llm.Ask{}, "", fmt.Errorf("content type %q", got)
	}
	if err := s.dialect.authorized(r.Header, s.opt.Key); err != nil {
		return llm.Ask{}, "", err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return llm.Ask{}, "", fmt.Errorf("read request: %w", err)
	}
	return s.dialect.read(body)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, ask llm.Ask, place, try int) {
	if place >= len(s.opt.Script) {
		s.t.Errorf("%s server: the script has no step %d", s.opt.Dialect, place+1)
		s.refuse(w, http.StatusBadRequest, "invalid_request_error", "the script has ended")
		return
	}
	step := s.opt.Script[place]
	if missing := step.missing(ask.Turns[len(ask.Turns)-1]); missing != "" {
		s.t.Errorf("%s server, step %d: the user's turn does not have %q", s.opt.Dialect, place+1, missing)
	}
	p := &pen{w: w, gone: r.Context().Done()}
	if try < len(step.Failure) {
		if s.play(w, r, step.Failure[try]) {
			return
		}
		p.failure = step.Failure[try]
	}
	if step.Reply != nil {
		step.Answer = step.Reply(ask)
	}
	s.dialect.write(p, s.complete(step.Answer, place), s.opt.Model+"-snapshot")
	p.end(s.dialect)
}

// complete fills in what a script omits.
func (s *Server) complete(a llm.Completion, place int) llm.Completion {
	a.Calls = slices.Clone(a.Calls)
	for i := range a.Calls {
		if a.Calls[i].ID == "" {
			a.Calls[i].ID = fmt.Sprintf("use_%d_%d", place, i)
		}
	}
	if a.Usage == (llm.Usage{}) {
		a.Usage = llm.Usage{Input: 100, Cached: 40, Output: 10}
	}
	return a
}

func (s Step) missing(last llm.Turn) string {
	all := last.Text
	for _, r := range last.Results {
		all += "\n" + r.Text
	}
	for _, want := range s.Expect {
		if !strings.Contains(all, want) {
			return want
		}
	}
	return ""
}
