package cluster

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// disruptor disrupts machines at random, one at a time, until the context ends and each kind of disruption has happened.
type disruptor struct {
	machines []*machine
	longest  time.Duration  // of a freeze
	hits     map[string]int // how often each task was hit; nil = do not wait for tasks
	random   *rand.Rand
	log      func(format string, args ...any)
	started  time.Time
	counts   [3]int // crashes, restarts, freezes
	next     []int  // upcoming kinds of disruptions
}

func (v *disruptor) run(ctx context.Context) error {
	for {
		<-time.After(time.Duration(500+v.random.IntN(2500)) * time.Millisecond)
		if ctx.Err() != nil && slices.Min(v.counts[:]) > 0 {
			return nil
		}
		if len(v.next) == 0 {
			v.next = v.random.Perm(len(v.counts)) // each kind once in every three, in random order
		}
		m, kind := v.machines[v.random.IntN(len(v.machines))], v.next[0]
		frozen := time.Duration(v.random.Int64N(int64(v.longest)))
		if !v.waitForTask(ctx, m) {
			continue
		}
		v.log("%6.1fs %s: %s", time.Since(v.started).Seconds(), m.name,
			[]string{"kill -9", "SIGTERM", "frozen for " + frozen.String()}[kind])
		if err := []func() error{m.crash, m.restart, func() error { return m.freeze(frozen) }}[kind](); err != nil {
			return err
		}
		v.counts[kind]++
		v.next = v.next[1:]
	}
}

// waitForTask waits up to two seconds until the machine runs a task, and reports whether to disrupt it. The point
// within the task is random. No task is hit so often that it fails because it has lost too many workers.
func (v *disruptor) waitForTask(ctx context.Context, m *machine) bool {
	if v.hits == nil {
		return true
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for patience := time.After(2 * time.Second); len(heldTasks(m)) == 0; {
		select {
		case <-ctx.Done():
			return true
		case <-patience:
			return true
		case <-tick.C:
		}
	}
	<-time.After(time.Duration(v.random.IntN(100)) * time.Millisecond)
	tasks := heldTasks(m)
	for _, task := range tasks {
		if v.hits[task] >= mostHits {
			return false
		}
	}
	for _, task := range tasks {
		v.hits[task]++
	}
	return true
}

// mostHits is how often a task may lose its worker in this scenario, well below the maximum number of attempts.
const mostHits = 2

var taskLine = regexp.MustCompile(`"msg":"task (started|ended|stopped)".*?"task":"(\w+)"`)

// heldTasks returns the tasks that a worker holds, according to its log.
func heldTasks(m *machine) (tasks []string) {
	for _, line := range taskLine.FindAllStringSubmatch(m.current().Output(), -1) {
		if line[1] == "started" {
			tasks = append(tasks, line[2])
		} else {
			tasks = slices.DeleteFunc(tasks, func(t string) bool { return t == line[2] })
		}
	}
	return tasks
}

var counterShape = regexp.MustCompile(`counter-(\d+)-end`)

// reader reads pages of all sites on all servers until the context ends. A response that is not a page, and an outdated
// page, are errors.
type reader struct {
	balance *balancer
	all     []*docs
	random  *rand.Rand
	errs    *errorList
	pages   *atomic.Int64
}

func (r *reader) run(ctx context.Context) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		d := r.all[r.random.IntN(len(r.all))]
		path := "/"
		if r.random.IntN(3) == 0 {
			path = fmt.Sprintf("/page-%03d", r.random.IntN(10))
		}
		if err := r.read(d, path); err != nil {
			r.errs.add(err)
		}
		r.pages.Add(1)
	}
}

func (r *reader) read(d *docs, path string) error {
	req, err := http.NewRequest(http.MethodGet, "http://cluster.internal"+path, nil)
	if err != nil {
		return err
	}
	req.Host = d.domain
	answer, err := r.balance.client().Do(req)
	if err != nil {
		return fmt.Errorf("read %s%s: %w", d.domain, path, err)
	}
	defer func() { _ = answer.Body.Close() }() // it is in memory
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "" {
		return nil
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("read %s%s: %d by %s", d.domain, path, answer.StatusCode, answer.Header.Get(servedBy))
	}
	if path != "/" {
		return nil
	}
	asked, err := time.Parse(time.RFC3339Nano, answer.Header.Get(askedAt))
	if err != nil {
		return err
	}
	found := counterShape.FindSubmatch(body)
	if found == nil {
		return fmt.Errorf("read %s: no counter in %.200s", d.domain, body)
	}
	if n, err := strconv.Atoi(string(found[1])); err != nil || n < d.oldestAllowed(asked) {
		return fmt.Errorf("%s: a stale page of %s, asked at %s: %d, but %s (error %v)", answer.Header.Get(servedBy),
			d.domain, asked.Format(time.StampMilli), n, d.history(), err)
	}
	return nil
}

// paced calls f for each number, concurrently and spread evenly over the given time, and returns when all calls have
// returned.
func paced(n int, over time.Duration, f func(i int)) {
	var all sync.WaitGroup
	began := time.Now()
	for i := range n {
		<-time.After(time.Until(began.Add(over * time.Duration(i) / time.Duration(n))))
		all.Go(func() { f(i) })
	}
	all.Wait()
}
