package eventforward

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// Site is where events happened: the published site's origin and its tools.
type Site struct {
	Origin string
	Tools  []deploy.Integration
}

// Options are what a forwarder works with. A zero field takes its default.
type Options struct {
	Sites     func(ctx context.Context, projectID string) (Site, error)
	Client    *http.Client // guarded
	GA4Secret string       // "" = nothing goes to Google Analytics
	Now       func() time.Time
	Logger    *slog.Logger
	Count     func(outcome string, n int) // called with the number of events sent or dropped
	Every     time.Duration               // between two rounds; 0 = 2 s
	Pause     time.Duration               // before a request is made again; 0 = half a second
	Grace     time.Duration               // for what is on its way when it closes; 0 = 3 s
	Queue     int                         // events that wait at most; 0 = 10,000
	Hosts     map[string]string           // base addresses of tools instead of their own, for tests
}

// Outcomes of events, for each tool.
const (
	Sent    = "sent"
	Dropped = "dropped"
)

const (
	siteLife = time.Minute // how long a site's tools are remembered
	tries    = 3           // of one request
	maxBatch = 100         // events of one
)

// Forwarder sends events to analytics tools. It is safe for concurrent use.
type Forwarder struct {
	Options
	queue  chan audience.Event
	known  map[string]found // of run alone
	cancel context.CancelFunc
	stop   chan struct{}
	done   chan struct{}

	mu    sync.Mutex
	lanes map[string]*lane // by project and tool
	slots chan struct{}    // held while sending
	wait  sync.WaitGroup   // of lanes that send
}

type found struct {
	Site
	at time.Time
}

// Open starts a forwarder. The caller closes it.
func Open(opt Options) *Forwarder {
	if opt.Every == 0 {
		opt.Every = 2 * time.Second
	}
	if opt.Queue == 0 {
		opt.Queue = 10_000
	}
	if opt.Count == nil {
		opt.Count = func(string, int) {}
	}
	if opt.Pause == 0 {
		opt.Pause = 500 * time.Millisecond
	}
	if opt.Grace == 0 {
		opt.Grace = 3 * time.Second
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &Forwarder{Options: opt, queue: make(chan audience.Event, opt.Queue), known: map[string]found{},
		cancel: cancel, stop: make(chan struct{}), done: make(chan struct{}),
		lanes: map[string]*lane{}, slots: make(chan struct{}, maxSending)}
	go f.run(ctx)
	return f
}

// Tell takes an event of a person, or drops it when too many wait. Tools take every view for one of a person, so they
// do not hear of programs.
func (f *Forwarder) Tell(e audience.Event) {
	if name(e) == "" || e.Class != audience.Human {
		return
	}
	select {
	case f.queue <- e:
	default:
		f.Count(Dropped, 1)
	}
}

// Close sends what waits and stops. What a slow tool has not taken after a few seconds is dropped.
func (f *Forwarder) Close() error {
	late := time.AfterFunc(f.Grace, f.cancel)
	defer late.Stop()
	close(f.stop)
	<-f.done
	return nil
}

func (f *Forwarder) run(ctx context.Context) {
	defer close(f.done)
	defer f.cancel()
	tick := time.NewTicker(f.Every)
	defer tick.Stop()
	for {
		select {
		case <-f.stop:
			f.round(ctx)
			f.wait.Wait()
			return
		case <-tick.C:
			f.round(ctx)
		}
	}
}

// round hands what waits now to the tools of its sites. None of them keeps another waiting.
func (f *Forwarder) round(ctx context.Context) {
	bySite := map[string][]audience.Event{}
	for range len(f.queue) {
		e := <-f.queue
		bySite[e.ProjectID] = append(bySite[e.ProjectID], e)
	}
	for id, events := range bySite {
		s, err := f.site(ctx, id)
		if err != nil {
			f.Count(Dropped, len(events))
			f.Logger.Warn("load analytics tools of site failed, not forwarding events", "project", id, "error", err)
			continue
		}
		for _, tool := range s.Tools {
			f.hand(ctx, id+"\n"+tool.Tool, s, tool, events)
		}
	}
}

func (f *Forwarder) site(ctx context.Context, projectID string) (Site, error) {
	if k, ok := f.known[projectID]; ok && f.Now().Sub(k.at) < siteLife {
		return k.Site, nil
	}
	s, err := f.Sites(ctx, projectID)
	if err != nil {
		return s, err
	}
	if len(f.known) > 1000 {
		clear(f.known)
	}
	f.known[projectID] = found{s, f.Now()}
	return s, nil
}
