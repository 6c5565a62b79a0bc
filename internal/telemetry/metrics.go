package telemetry

import (
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the server's own figures, beside those of the Go runtime and the process. Safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time

	requests *prometheus.CounterVec   // route, method, status
	duration *prometheus.HistogramVec // route; seconds
	inFlight prometheus.Gauge

	jobsStarted *prometheus.CounterVec   // kind
	jobsEnded   *prometheus.CounterVec   // kind, outcome
	jobsRunning *prometheus.GaugeVec     // kind
	jobDuration *prometheus.HistogramVec // kind; seconds
}

// NewMetrics makes the metrics of one process. version is the binary's; durations are measured with now.
func NewMetrics(version string, now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		now:      now,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lectern_http_requests_total", Help: "Answered requests."}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lectern_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "lectern_http_requests_in_flight", Help: "Requests being answered."}),
		jobsStarted: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lectern_jobs_started_total", Help: "Jobs taken up by a worker, repeated attempts included."}, []string{"kind"}),
		jobsEnded: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lectern_jobs_ended_total", Help: "Jobs that a worker let go of, by how they ended."}, []string{"kind", "outcome"}),
		jobsRunning: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "lectern_jobs_running", Help: "Jobs being worked on by this process."}, []string{"kind"}),
		jobDuration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lectern_job_duration_seconds", Help: "Time a worker spent on a job.",
			Buckets: []float64{.1, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600}}, []string{"kind"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "lectern_build_info", Help: "Always 1; its labels tell what runs.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()}})
	build.Set(1)
	m.registry.MustRegister(build, m.requests, m.duration, m.inFlight, m.jobsStarted, m.jobsEnded, m.jobsRunning, m.jobDuration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics in Prometheus' text form. Errors while gathering are logged and leave out only what failed.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError), ErrorHandling: promhttp.ContinueOnError,
	})
}

// Gauge adds a figure that is asked for whenever metrics are read; value must be quick. A name can be used once: a second
// use panics, as it is a mistake in the program.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Counter adds a figure that never falls; as Gauge otherwise.
func (m *Metrics) Counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// Counts adds counters that differ by labels, and returns what counts one up; values stand in the order of the labels and must be few. As Gauge
// otherwise.
func (m *Metrics) Counts(name, help string, labels ...string) (count func(values ...string)) {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(vec)
	return func(values ...string) { vec.WithLabelValues(values...).Inc() }
}

// Instrument counts and times the requests that next answers, under the name of their route. Give the route's pattern,
// never a request's own path: each name is kept for ever.
func (m *Metrics) Instrument(route string, next http.Handler) http.Handler {
	duration := m.duration.WithLabelValues(route)
	counts := &tally{vector: m.requests, route: route}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		start := m.now()
		rec := &recorder{ResponseWriter: w}
		defer func() { // also when next panics; the panic goes on
			m.inFlight.Dec()
			duration.Observe(m.now().Sub(start).Seconds())
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
	m.jobsStarted.WithLabelValues(kind).Inc()
	m.jobsRunning.WithLabelValues(kind).Inc()
	return func(outcome string) {
		m.jobsRunning.WithLabelValues(kind).Dec()
		m.jobsEnded.WithLabelValues(kind, outcome).Inc()
		m.jobDuration.WithLabelValues(kind).Observe(m.now().Sub(start).Seconds())
	}
}
