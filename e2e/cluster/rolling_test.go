package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// H6, A12, J9: all servers are restarted one after the other, as an orchestrator does. SIGTERM makes a server report
// that it is not ready, and requests go elsewhere once the probe has noticed that. No request fails: no connection is
// refused or breaks for readers, for callers that post, or for streams, which end properly and continue on another
// server. There are two servers, or three in nightly runs.
func TestRollingRestartFailsNoRequest(t *testing.T) {
	t.Parallel()
	c := newCluster(t, tier.Choose(2, 3), 1, "LECTERN_SHUTDOWN_DELAY=6s", "LECTERN_EXPORT_MAX_QUEUED_PER_ORGANIZATION=0")
	org := c.createOrganizations(newCodeHost(t), 1, 2, 10)[0]
	c.workers[0].current().Stop() // exports wait, and so do their streams
	probes := startProbes(c.servers)
	t.Cleanup(probes.stop)
	front := &balancer{machines: c.servers, out: probes.inService, strict: true}
	_, key := c.organization("Callers")
	org.client = c.client(c.keyOf(org), front)
	callers := &organization{client: c.client(key, front)}
	d := newDocs(c, callers, org.projects[0].repo, "callers.example.com")

	r := &rolling{cluster: c, front: front}
	ctx, end := context.WithCancel(context.Background())
	var load sync.WaitGroup
	for i := range 4 {
		one := &reader{balance: front, all: org.projects, random: rand.New(rand.NewPCG(*seed, uint64(200+i))),
			errs: &r.errs, pages: &r.pages}
		load.Go(func() { one.run(ctx) })
	}
	load.Go(func() { r.post(ctx, d) })
	const streams = 6
	var followed sync.WaitGroup
	for i := range streams {
		job, err := org.client.StartExport(context.Background(),
			client.StartExport{Domain: org.projects[0].domain, Version: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		followed.Go(func() { r.follow(org.client, job.JobID) })
	}
	for _, s := range c.servers {
		r.replace(s, probes)
	}
	if err := c.workers[0].start(); err != nil {
		t.Fatal(err)
	}
	followed.Wait()
	end()
	load.Wait()
	r.check(streams)
}

// keyOf creates another key of an organization.
func (c *cluster) keyOf(o *organization) string {
	c.t.Helper()
	k, err := o.client.CreateKey(context.Background(), client.CreateKey{Label: "Another"})
	if err != nil {
		c.t.Fatal(err)
	}
	return k.Secret
}

type rolling struct {
	*cluster
	front  *balancer
	errs   errorList
	pages  atomic.Int64
	posts  atomic.Int64
	breaks atomic.Int64 // streams that were resumed
}

// replace restarts a server and returns when it receives requests again.
func (r *rolling) replace(m *machine, p *probes) {
	r.t.Helper()
	before := r.front.served.Load()
	if err := m.restart(); err != nil {
		r.t.Fatal(err)
	}
	m.current().Await("the return to the balancer", func() bool { return slices.Contains(p.inService(), m) })
	if r.front.served.Load() == before {
		r.t.Error("no request was sent while the server was down")
	}
}

// post starts exports until ctx ends; each must be accepted at the first attempt.
func (r *rolling) post(ctx context.Context, d *docs) {
	for i := 0; ctx.Err() == nil; i++ {
		label := fmt.Sprintf("post-%d", i)
		if _, err := d.org.client.StartExport(context.Background(),
			client.StartExport{Domain: d.domain, Version: label}, client.WithIdempotencyKey(label)); err != nil {
			r.errs.add(err)
		}
		r.posts.Add(1)
		<-time.After(50 * time.Millisecond) // at the pace of a caller
	}
}

// follow follows an export to its end, over as many streams as necessary. Each must end properly: the balancer records
// a stream that breaks off.
func (r *rolling) follow(c *client.Client, jobID string) {
	for {
		err := c.StreamExport(context.Background(), jobID, func(client.ExportJob) error { return nil })
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			if err != nil {
				r.errs.add(err)
			}
			return
		}
		r.breaks.Add(1)
	}
}

func (r *rolling) check(streams int) {
	r.t.Helper()
	for i, err := range append(r.errs.list(), r.front.failed.list()...) {
		if i < 20 {
			r.t.Error(err)
		}
	}
	if got := r.query(`SELECT count(*) FROM static_exports WHERE version LIKE 'post-%'`); got != fmt.Sprint(
		r.posts.Load()) {
		r.t.Errorf("%s exports of %d posts", got, r.posts.Load())
	}
	r.t.Logf("%d requests, %d pages, %d posts, %d resumed streams, %d refusals with 503", r.front.served.Load(),
		r.pages.Load(), r.posts.Load(), r.breaks.Load(), r.front.busy.Load())
	if r.pages.Load() == 0 || r.posts.Load() == 0 || r.breaks.Load() < int64(streams) {
		r.t.Error("too little happened for this test to be meaningful")
	}
	if r.front.busy.Load() > 0 {
		r.t.Error("a server responded with 503")
	}
	for _, s := range r.servers {
		if strings.Contains(s.log(), `"level":"ERROR"`) {
			r.t.Errorf("%s logged a problem", s.name)
		}
	}
}

// probes regularly check whether each server is ready, as an orchestrator does.
type probes struct {
	machines []*machine
	cancel   context.CancelFunc
	done     sync.WaitGroup
	mu       sync.Mutex
	up       map[*machine]bool // guarded by mu
}

const probeEvery = 100 * time.Millisecond

func startProbes(machines []*machine) *probes {
	ctx, cancel := context.WithCancel(context.Background())
	p := &probes{machines: machines, cancel: cancel, up: map[*machine]bool{}}
	for _, m := range machines {
		p.up[m] = true
		p.done.Go(func() {
			for ctx.Err() == nil {
				up := lectern.Status("http://"+m.metrics+"/readyz") == 200
				p.mu.Lock()
				p.up[m] = up
				p.mu.Unlock()
				<-time.After(probeEvery)
			}
		})
	}
	return p
}

func (p *probes) stop() { p.cancel(); p.done.Wait() }

// inService returns the servers that receive requests.
func (p *probes) inService() (list []*machine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.machines {
		if p.up[m] {
			list = append(list, m)
		}
	}
	return list
}
