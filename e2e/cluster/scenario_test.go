package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// J2, J3, J5, J9, A4, B6, B13, D4, D8: three servers and two workers run on PostgreSQL and S3. For 15 seconds (two
// minutes in nightly runs, or -turmoil), one server and one worker at a time are killed, stopped or frozen at random.
// Meanwhile, three organizations (five in nightly runs) create exports (200 in two minutes) and publish changes (50 in
// two minutes), and readers read from all servers. Every job completes once, with the same bytes as without faults; no
// request gets a wrong response; no reader sees a page that was replaced more than a second ago; and nothing is left
// behind.
func TestClusterSurvivesDisturbances(t *testing.T) {
	const projectsEach, pages = 2, 25
	organizations := tier.Choose(3, 5)
	exports, publishesEach := int(*turmoil/(600*time.Millisecond)), max(2, int(*turmoil/(24*time.Second)))
	c := newCluster(t, 3, 2)
	host := newCodeHost(t)
	orgs := c.createOrganizations(host, organizations, projectsEach, pages)
	all := projects(orgs)
	s := &scenario{cluster: c, began: time.Now()}
	ctx, calm := context.WithTimeout(context.Background(), *turmoil)
	defer calm()
	stopReading := s.read(all, 3)
	disturbed := s.disturb(ctx)

	var clients sync.WaitGroup
	clients.Go(func() {
		paced(exports, *turmoil*9/10, func(i int) {
			if _, err := all[i%len(all)].export(fmt.Sprintf("v%d", i)); err != nil {
				s.errs.add(err)
			}
		})
	})
	for _, d := range all {
		clients.Go(func() { s.publishAll(d, publishesEach) })
	}
	clients.Wait()
	worked := time.Since(s.began)
	disturbed()
	stopReading()
	t.Logf("all work was done after %s; %d requests, %d pages read, %d broken connections, %d refusals with 503",
		worked.Round(time.Second), c.balance.served.Load(), s.pages.Load(),
		c.balance.broken.Load(), c.balance.busy.Load())
	s.figures()
	s.report()
	s.checkLedger(all, exports, publishesEach*len(all))
	s.checkChains(orgs)
	made := s.checkBundles(all)
	s.checkObjects()
	compare(t, made, calmRun(t, all, made))
}

// scenario is one test run against a cluster.
type scenario struct {
	*cluster
	began time.Time
	errs  errorList
	pages atomic.Int64
}

// publishAll publishes n counters in order.
func (s *scenario) publishAll(d *docs, n int) {
	random := rand.New(rand.NewPCG(*seed, uint64(d.repo.dir[len(d.repo.dir)-1])))
	for k := 1; k <= n; k++ {
		due := s.began.Add(*turmoil * 9 / 10 * time.Duration(k-1) / time.Duration(n)).
			Add(time.Duration(random.IntN(5000)) * time.Millisecond)
		<-time.After(time.Until(due))
		if err := d.publish(k); err != nil {
			s.errs.add(err)
			return
		}
	}
}

// read runs readers until the returned function is called.
func (s *scenario) read(all []*docs, readers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	for i := range readers {
		r := &reader{balance: s.balance, all: all, random: rand.New(rand.NewPCG(*seed, uint64(100+i))), errs: &s.errs,
			pages: &s.pages}
		reading.Go(func() { r.run(ctx) })
	}
	return func() { cancel(); reading.Wait() }
}

// disturb runs two disruptors until ctx ends: one for servers, one for workers, so that two servers and one worker
// are always healthy. The returned function waits for them.
func (s *scenario) disturb(ctx context.Context) (wait func()) {
	servers := &disruptor{machines: s.servers, longest: 3500 * time.Millisecond, random: rand.New(rand.NewPCG(*seed, 1)),
		log: s.t.Logf, started: s.began}
	workers := &disruptor{machines: s.workers, longest: 5 * time.Second, hits: map[string]int{},
		random: rand.New(rand.NewPCG(*seed, 2)), log: s.t.Logf, started: s.began}
	var both sync.WaitGroup
	for _, v := range []*disruptor{servers, workers} {
		both.Go(func() {
			if err := v.run(ctx); err != nil {
				s.errs.add(err)
			}
		})
	}
	return func() {
		both.Wait()
		for _, v := range []*disruptor{servers, workers} {
			s.t.Logf("%s and others: %d killed, %d stopped, %d frozen", v.machines[0].name, v.counts[0], v.counts[1],
				v.counts[2])
		}
	}
}

// report fails the test with the errors of the run, at most 20 of each list.
func (s *scenario) report() {
	s.t.Helper()
	for _, errs := range [][]error{s.errs.list(), s.balance.failed.list()} {
		for i, err := range errs {
			if i == 20 {
				s.t.Errorf("and %d more", len(errs)-i)
				break
			}
			s.t.Error(err)
		}
	}
}

// figures logs the resources that the processes use, for docs/guides/scale-out.mdx.
func (s *scenario) figures() {
	s.t.Helper()
	for _, m := range s.machines() {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.current().Pid()))
		if err != nil {
			s.t.Error(err)
		}
		s.t.Logf("%s: at most %s of memory", m.name, strings.Join(strings.Fields(peak.FindString(string(raw))), " "))
	}
	s.t.Logf("connections to the database: %s",
		s.query(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`))
}

var peak = regexp.MustCompile(`VmHWM:.*`)
