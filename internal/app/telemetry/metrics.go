package telemetry

import (
	"net/http"
	"runtime"
	"time"
)

// Metrics are the server's own figures, beside those of the Go runtime and the process. Safe for concurrent use.
type Metrics struct {
	registry registry
	now      func() time.Time

	requests *family // route, method, status
	duration *family // route; seconds
	inFlight *series

	jobsStarted *family // kind
	jobsEnded   *family // kind, outcome
	jobsRunning *family // kind
	jobDuration *family // kind; seconds
}

// NewMetrics makes the metrics of one process. version is the binary's; durations are measured with now.
func NewMetrics(version string, now func() time.Time) *Metrics {
	m := &Metrics{now: now}
	add := m.registry.add
	m.requests = add(&family{name: "lectern_http_requests_total", help: "Answered requests.", kind: "counter", labels: []string{"route", "method", "status"}})
	m.duration = add(&family{name: "lectern_http_request_duration_seconds", help: "Time from a request's headers to the end of its answer.", kind: "histogram", labels: []string{"route"},
		buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}})
	m.inFlight = add(&family{name: "lectern_http_requests_in_flight", help: "Requests being answered.", kind: "gauge"}).with()
	m.jobsStarted = add(&family{name: "lectern_jobs_started_total", help: "Jobs taken up by a worker, repeated attempts included.", kind: "counter", labels: []string{"kind"}})
	m.jobsEnded = add(&family{name: "lectern_jobs_ended_total", help: "Jobs that a worker let go of, by how they ended.", kind: "counter", labels: []string{"kind", "outcome"}})
	m.jobsRunning = add(&family{name: "lectern_jobs_running", help: "Jobs being worked on by this process.", kind: "gauge", labels: []string{"kind"}})
	m.jobDuration = add(&family{name: "lectern_job_duration_seconds", help: "Time a worker spent on a job.", kind: "histogram", labels: []string{"kind"},
		buckets: []float64{.1, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600}})
	add(&family{name: "lectern_build_info", help: "Always 1; its labels tell what runs.", kind: "gauge", labels: []string{"version", "go"}}).with(version, runtime.Version()).add(1)
	m.registry.processFigures()
	return m
}

// Gauge adds a value that is read on every scrape; value must be quick. A name can be used once: a second
// use panics, as it is a mistake in the program.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.figure(name, help, "gauge", value)
}

// Counter adds a figure that never falls; as Gauge otherwise.
func (m *Metrics) Counter(name, help string, value func() float64) {
	m.figure(name, help, "counter", value)
}

func (m *Metrics) figure(name, help, kind string, value func() float64) {
	m.registry.add(&family{name: name, help: help, kind: kind, ask: func() []sample { return []sample{{value: value()}} }})
}

// Counts adds counters that differ by labels, and returns what counts one up; values stand in the order of the labels and must be few. As Gauge
// otherwise.
func (m *Metrics) Counts(name, help string, labels ...string) (count func(values ...string)) {
	f := m.registry.add(&family{name: name, help: help, kind: "counter", labels: labels})
	return func(values ...string) { f.with(values...).add(1) }
}

// Info adds a gauge that is always 1 and whose labels carry the information. labels is called on every scrape; it
// returns a value for each name, or nil while there is nothing to report. Labels must change rarely: each value is a
// series of its own.
func (m *Metrics) Info(name, help string, names []string, labels func() map[string]string) {
	m.registry.add(&family{name: name, help: help, kind: "gauge", labels: names, ask: func() []sample {
		told := labels()
		if told == nil {
			return nil
		}
		values := make([]string, len(names))
		for i, n := range names {
			values[i] = told[n]
		}
		return []sample{{values, 1}}
	}})
}

// Instrument counts and times the requests that next answers, under the name of their route. Give the route's pattern,
// never a request's own path: each name is kept for ever.
func (m *Metrics) Instrument(route string, next http.Handler) http.Handler {
	duration := m.duration.with(route)
	counts := &tally{requests: m.requests, route: route}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.add(1)
		start := m.now()
		rec := &recorder{ResponseWriter: w}
		defer func() { // also when next panics; the panic goes on
			m.inFlight.add(-1)
			duration.observe(m.duration.buckets, m.now().Sub(start).Seconds())
			counts.add(method(r.Method), rec.Status())
		}()
		rec.serve(next, r)
	})
}

// method keeps the label's values few: a caller may send any word as a method.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// JobStarted counts a job that a worker took up. Call the returned function once, with the outcome, when the worker lets it go.
func (m *Metrics) JobStarted(kind string) (ended func(outcome string)) {
	start := m.now()
	m.jobsStarted.with(kind).add(1)
	m.jobsRunning.with(kind).add(1)
	return func(outcome string) {
		m.jobsRunning.with(kind).add(-1)
		m.jobsEnded.with(kind, outcome).add(1)
		m.jobDuration.with(kind).observe(m.jobDuration.buckets, m.now().Sub(start).Seconds())
	}
}
