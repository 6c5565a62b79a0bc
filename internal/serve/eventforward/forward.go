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

// Site describes where events happened: the origin of the published site, and its analytics tools.
type Site struct {
	Origin string
	Tools  []deploy.Integration
}

// Options configures a Forwarder. A zero field means the default.
type Options struct {
	Sites     func(ctx context.Context, projectID string) (Site, error)
	Client    *http.Client // protected by the outbound guard
	GA4Secret string       // "" = send nothing to Google Analytics
	Now       func() time.Time
	Logger    *slog.Logger
	Count     func(outcome string, n int) // called with the number of events sent or dropped
	Every     time.Duration               // interval between rounds; 0 = 2 s
	Pause     time.Duration               // pause before a request is retried; 0 = half a second
	Grace     time.Duration               // time for pending requests on Close; 0 = 3 s
	Queue     int                         // maximum number of queued events; 0 = 10,000
	Hosts     map[string]string           // overrides the base URLs of tools, for tests
}

// Outcomes of an event for each tool.
const (
	Sent    = "sent"
	Dropped = "dropped"
)

const (
	siteLife = time.Minute // how long a site's tools are cached
	tries    = 3           // attempts per request
	maxBatch = 100         // events per request
)

// Forwarder sends events to analytics tools. It is safe for concurrent use.
type Forwarder struct {
	Options
	queue  chan audience.Event
	known  map[string]found // used only by run
	cancel context.CancelFunc
	stop   chan struct{}
	done   chan struct{}

	mu    sync.Mutex
	lanes map[string]*lane // by project and tool
	slots chan struct{}    // one is held while sending
	wait  sync.WaitGroup   // sending lanes
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

// Tell queues an event caused by a person, or drops it if the queue is full. Events caused by programs are ignored,
// because tools count every view as a person's.
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

// Close sends pending events and stops. Events that a slow tool has not accepted after a few seconds are dropped.
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

// round distributes queued events to the tools of their sites. A slow tool does not delay the others.
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
			f.Logger.Warn("failed to load the site's analytics tools, not forwarding events", "project", id, "error", err)
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
