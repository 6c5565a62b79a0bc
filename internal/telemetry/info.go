package telemetry

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Info adds a gauge that is always 1 and whose labels tell something in words. labels is asked whenever metrics are read; it returns a value
// for each name, or nil while there is nothing to tell. Keep what it tells rare: each value is a series of its own.
func (m *Metrics) Info(name, help string, names []string, labels func() map[string]string) {
	m.registry.MustRegister(&info{prometheus.NewDesc(name, help, slices.Sorted(slices.Values(names)), nil), labels})
}

type info struct {
	about  *prometheus.Desc
	labels func() map[string]string
}

// Describe implements prometheus.Collector.
func (i *info) Describe(to chan<- *prometheus.Desc) { to <- i.about }

// Collect implements prometheus.Collector.
func (i *info) Collect(to chan<- prometheus.Metric) {
	labels := i.labels()
	if labels == nil {
		return
	}
	var values []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		values = append(values, labels[name])
	}
	if made, err := prometheus.NewConstMetric(i.about, prometheus.GaugeValue, 1, values...); err == nil {
		to <- made
	}
}
