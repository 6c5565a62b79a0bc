package telemetry

import (
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Gauge adds a value that is read on every scrape; value must be fast. Each name can be used only once: a second use
// is a bug and panics.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.read(name, help, prometheus.GaugeValue, value)
}

// Counter is like Gauge, for a value that never decreases.
func (m *Metrics) Counter(name, help string, value func() float64) {
	m.read(name, help, prometheus.CounterValue, value)
}

func (m *Metrics) read(name, help string, kind prometheus.ValueType, value func() float64) {
	m.registry.MustRegister(&reading{desc: prometheus.NewDesc(name, help, nil, nil), kind: kind,
		read: func() (float64, []string, bool) { return value(), nil, true }})
}

// Counts adds counters with labels, and returns a function that increments one; its arguments are the label values in
// order, of which there must be few different ones. Otherwise it is like Gauge.
func (m *Metrics) Counts(name, help string, labels ...string) (count func(values ...string)) {
	vec := promauto.With(m.registry).NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	return func(values ...string) { vec.WithLabelValues(valid(values)...).Inc() }
}

// Info adds a gauge that is always 1 and whose labels contain the information. labels is called on every scrape; it
// returns a value for each name, or nil if there is nothing to report. Labels must change rarely: each value creates
// a new series.
func (m *Metrics) Info(name, help string, names []string, labels func() map[string]string) {
	m.registry.MustRegister(&reading{desc: prometheus.NewDesc(name, help, names, nil), kind: prometheus.GaugeValue,
		read: func() (float64, []string, bool) {
			byName := labels()
			values := make([]string, len(names))
			for i, n := range names {
				values[i] = byName[n]
			}
			return 1, values, byName != nil
		}})
}

// reading is a metric whose value is read on every scrape.
type reading struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func() (value float64, labels []string, ok bool)
}

// Describe implements prometheus.Collector.
func (r *reading) Describe(to chan<- *prometheus.Desc) { to <- r.desc }

// Collect implements prometheus.Collector. A panic makes only this metric invalid and is reported under its name. It
// neither hides the other metrics nor ends the process, as it would with the library's GaugeFunc, which reads its value
// after Collect.
func (r *reading) Collect(to chan<- prometheus.Metric) {
	defer func() {
		if p := recover(); p != nil {
			to <- prometheus.NewInvalidMetric(r.desc, fmt.Errorf("read metric: panic: %v", p))
		}
	}()
	value, labels, ok := r.read()
	if !ok {
		return
	}
	to <- prometheus.MustNewConstMetric(r.desc, r.kind, value, valid(labels)...)
}

// valid replaces, in place, invalid UTF-8, which the library rejects in labels.
func valid(labels []string) []string {
	for i, l := range labels {
		labels[i] = strings.ToValidUTF8(l, "\uFFFD")
	}
	return labels
}
