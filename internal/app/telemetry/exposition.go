package telemetry

import (
	"bytes"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// registry is what can be read. Families are added while the server starts; the names of all are different.
type registry struct{ families []*family }

// add panics on a name that is taken, as that is a mistake in the program.
func (r *registry) add(f *family) *family {
	if slices.ContainsFunc(r.families, func(other *family) bool { return other.name == f.name }) {
		panic("telemetry: two metrics are called " + f.name)
	}
	r.families = append(r.families, f)
	return f
}

// contentType is that of the text form, version 0.0.4, which every Prometheus reads.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// Handler serves the metrics in Prometheus' text form. One whose value cannot be asked for is logged and left out.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var out bytes.Buffer
		families := slices.Clone(m.registry.families)
		slices.SortFunc(families, func(a, b *family) int { return strings.Compare(a.name, b.name) })
		for _, f := range families {
			f.write(&out, log)
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(out.Bytes()) // the reader has gone
	})
}

func (f *family) write(out *bytes.Buffer, log *slog.Logger) {
	defer func(start int) {
		if p := recover(); p != nil { // one figure must not hide the others
			out.Truncate(start)
			log.Error("read metric", "name", f.name, "panic", p)
		}
	}(out.Len())
	var asked []sample
	if f.ask != nil {
		asked = f.ask()
	}
	made := f.sorted()
	if len(asked) == 0 && len(made) == 0 {
		return
	}
	out.WriteString("# HELP " + f.name + " " + helpText.Replace(f.help) + "\n# TYPE " + f.name + " " + f.kind + "\n")
	for _, s := range asked {
		f.line(out, "", s.values, "", s.value)
	}
	for _, s := range made {
		if f.kind == "histogram" {
			f.histogram(out, s)
			continue
		}
		f.line(out, "", s.values, "", float64(s.n.Load()))
	}
}

func (f *family) histogram(out *bytes.Buffer, s *series) {
	n := s.n.Load() // before the buckets: none may hold more than all, so what came since is left out
	below := int64(0)
	for i, bound := range f.buckets {
		below = min(below+s.within[i].Load(), n)
		f.line(out, "_bucket", s.values, number(bound), float64(below))
	}
	f.line(out, "_bucket", s.values, "+Inf", float64(n))
	f.line(out, "_sum", s.values, "", math.Float64frombits(s.sum.Load()))
	f.line(out, "_count", s.values, "", float64(n))
}

// line writes one value; le is the bound of a bucket, "" for all others.
func (f *family) line(out *bytes.Buffer, suffix string, values []string, le string, v float64) {
	out.WriteString(f.name + suffix)
	between := "{"
	pair := func(name, value string) {
		out.WriteString(between + name + `="` + labelText.Replace(value) + `"`)
		between = ","
	}
	for _, i := range f.order() {
		pair(f.labels[i], values[i])
	}
	if le != "" {
		pair("le", le)
	}
	if between == "," {
		out.WriteByte('}')
	}
	out.WriteString(" " + number(v) + "\n")
}

// order is that of the labels by name, as people look for them.
func (f *family) order() []int {
	out := make([]int, len(f.labels))
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, func(a, b int) int { return strings.Compare(f.labels[a], f.labels[b]) })
	return out
}

func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "+Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

var (
	helpText  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelText = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)
