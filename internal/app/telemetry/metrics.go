package telemetry

import (
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
)

// Metrics are the server's own metrics, in addition to those of the Go runtime and the process. It is safe for
// concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time

	requests *prometheus.CounterVec   // by route, method, status
	duration *prometheus.HistogramVec // by route; seconds
	inFlight prometheus.Gauge

	jobsStarted *prometheus.CounterVec   // by kind
	jobsEnded   *prometheus.CounterVec   // by kind, outcome
	jobsRunning *prometheus.GaugeVec     // by kind
	jobDuration *prometheus.HistogramVec // by kind; seconds
}

// Upper bounds of the histograms' buckets, in seconds. Recorded series and dashboards depend on them.
var (
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	jobBuckets     = []float64{.1, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600}
)

// NewMetrics returns the metrics of one process. version is the program's; now is used to measure durations.
func NewMetrics(version string, now func() time.Time) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), now: now}
	m.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	add := promauto.With(m.registry)
	m.requests = add.NewCounterVec(prometheus.CounterOpts{Name: "lectern_http_requests_total",
		Help: "Completed requests."}, []string{"route", "method", "status"})
	m.duration = add.NewHistogramVec(prometheus.HistogramOpts{Name: "lectern_http_request_duration_seconds",
		Help: "Time from a request's headers to the end of its response.", Buckets: requestBuckets}, []string{"route"})
	m.inFlight = add.NewGauge(prometheus.GaugeOpts{Name: "lectern_http_requests_in_flight",
		Help: "Requests in progress."})
	m.jobsStarted = add.NewCounterVec(prometheus.CounterOpts{Name: "lectern_jobs_started_total",
		Help: "Jobs started by a worker, including retries."}, []string{"kind"})
	m.jobsEnded = add.NewCounterVec(prometheus.CounterOpts{Name: "lectern_jobs_ended_total",
		Help: "Jobs finished by a worker, by result."}, []string{"kind", "outcome"})
	m.jobsRunning = add.NewGaugeVec(prometheus.GaugeOpts{Name: "lectern_jobs_running",
		Help: "Jobs in progress in this process."}, []string{"kind"})
	m.jobDuration = add.NewHistogramVec(prometheus.HistogramOpts{Name: "lectern_job_duration_seconds",
		Help: "Time a worker spent on a job.", Buckets: jobBuckets}, []string{"kind"})
	add.NewGaugeVec(prometheus.GaugeOpts{Name: "lectern_build_info",
		Help: "Always 1; its labels identify the build."}, []string{"version", "go"}).
		WithLabelValues(version, runtime.Version()).Set(1)
	return m
}

// Handler serves the metrics in the format requested by the scraper: Prometheus' text, OpenMetrics or protocol
// buffers. It logs and omits metrics that cannot be read.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError), EnableOpenMetrics: true})
}

// gatherer returns the metrics for formats that Handler does not serve. Like Handler, it logs and omits metrics that
// cannot be read.
func (m *Metrics) gatherer(log *slog.Logger) prometheus.Gatherer {
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		families, err := m.registry.Gather()
		if err != nil {
			log.Error("failed to read metrics", "error", err)
		}
		return families, nil
	})
}

// Instrument counts and times the requests handled by next, under the name of their route. Pass the route's pattern,
// never the path of a request, because each name is kept forever.
func (m *Metrics) Instrument(route string, next http.Handler) http.Handler {
	duration := m.duration.WithLabelValues(route)
	requests := &routeRequests{all: m.requests.MustCurryWith(prometheus.Labels{"route": route})}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		start := m.now()
		rec := &recorder{ResponseWriter: w}
		defer func() { // also if next panics; the panic continues
			m.inFlight.Dec()
			duration.Observe(m.now().Sub(start).Seconds())
			requests.of(r.Method, rec.Status()).Inc()
		}()
		rec.serve(next, r)
	})
}

// routeRequests counts the requests of a route. It caches the most common counters, because looking one up hashes its
// labels. They are created on first use, so that the metrics contain no zero lines.
type routeRequests struct {
	all             *prometheus.CounterVec
	read, unchanged atomic.Pointer[prometheus.Counter] // GET with 200 and 304
}

func (c *routeRequests) of(verb string, status int) prometheus.Counter {
	var kept *atomic.Pointer[prometheus.Counter]
	switch {
	case verb == http.MethodGet && status == http.StatusOK:
		kept = &c.read
	case verb == http.MethodGet && status == http.StatusNotModified:
		kept = &c.unchanged
	default:
		return c.all.WithLabelValues(method(verb), strconv.Itoa(status))
	}
	if one := kept.Load(); one != nil {
		return *one
	}
	one := c.all.WithLabelValues(method(verb), strconv.Itoa(status))
	kept.Store(&one)
	return one
}

// method limits the number of label values, because a caller may send any word as a method.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return m
	}
	return "other"
}

// JobStarted counts a job that a worker started. Call the returned function once, with the outcome, when the job
// ends.
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
