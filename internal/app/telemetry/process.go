package telemetry

import (
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
)

// processFigures adds the figures of the process and of the Go runtime, under the names that dashboards for Go programs
// know. What a system does not report is left out.
func (r *registry) processFigures() {
	one := func(name, help, kind string, value func() (float64, bool)) {
		r.add(&family{name: name, help: help, kind: kind, ask: func() []sample {
			v, ok := value()
			if !ok {
				return nil
			}
			return []sample{{value: v}}
		}})
	}
	for _, f := range []struct{ name, help, kind, source string }{
		{"go_goroutines", "Goroutines that exist.", "gauge", "/sched/goroutines:goroutines"},
		{"go_gc_cycles_total", "Collections that have ended.", "counter", "/gc/cycles/total:gc-cycles"},
		{"go_memstats_heap_alloc_bytes", "Bytes of objects on the heap.", "gauge", "/memory/classes/heap/objects:bytes"},
		{"go_memstats_heap_objects", "Objects on the heap.", "gauge", "/gc/heap/objects:objects"},
		{"go_memstats_alloc_bytes_total", "Bytes that were ever allocated on the heap.", "counter", "/gc/heap/allocs:bytes"},
		{"go_memstats_mallocs_total", "Objects that were ever allocated on the heap.", "counter", "/gc/heap/allocs:objects"},
		{"go_memstats_next_gc_bytes", "Size of the heap at which the next collection ends.", "gauge", "/gc/heap/goal:bytes"},
		{"go_memstats_stack_inuse_bytes", "Bytes of stacks.", "gauge", "/memory/classes/heap/stacks:bytes"},
		{"go_memstats_sys_bytes", "Bytes that the runtime has from the system.", "gauge", "/memory/classes/total:bytes"},
	} {
		one(f.name, f.help, f.kind, func() (float64, bool) { return runtimeFigure(f.source) })
	}
	r.add(&family{name: "go_info", help: "Always 1; its label tells the Go release.", kind: "gauge", labels: []string{"version"},
		ask: func() []sample { return []sample{{[]string{runtime.Version()}, 1}} }})
	one("process_cpu_seconds_total", "Processor time of the process.", "counter", func() (float64, bool) { s, ok := readStat(); return s.cpu, ok })
	one("process_resident_memory_bytes", "Memory of the process that is in RAM.", "gauge", func() (float64, bool) { s, ok := readStat(); return s.resident, ok })
	one("process_virtual_memory_bytes", "Address space of the process.", "gauge", func() (float64, bool) { s, ok := readStat(); return s.virtual, ok })
	one("process_start_time_seconds", "When the process began, in seconds since 1970.", "gauge", startTime)
	one("process_open_fds", "Files and connections that are open.", "gauge", openFiles)
}

func runtimeFigure(name string) (float64, bool) {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0, false
	}
	return float64(s[0].Value.Uint64()), true
}

// ticks a second in /proc; the same on every Linux that Go runs on.
const ticks = 100

// stat is what /proc reports about this process.
type stat struct{ cpu, resident, virtual, started float64 } // seconds; bytes; bytes; seconds after the system's start

func readStat() (s stat, ok bool) {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return s, false
	}
	text := string(raw)
	f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:]) // from the third field: the second may hold spaces
	if len(f) < 22 {
		return s, false
	}
	at := func(field int) float64 { v, _ := strconv.ParseFloat(f[field-3], 64); return v } // fields are numbered from 1, as in proc(5)
	return stat{cpu: (at(14) + at(15)) / ticks, virtual: at(23), resident: at(24) * float64(os.Getpagesize()), started: at(22) / ticks}, true
}

func startTime() (float64, bool) {
	s, ok := readStat()
	raw, err := os.ReadFile("/proc/stat")
	if !ok || err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(raw)) {
		if boot, found := strings.CutPrefix(line, "btime "); found {
			v, err := strconv.ParseFloat(strings.TrimSpace(boot), 64)
			return v + s.started, err == nil
		}
	}
	return 0, false
}

func openFiles() (float64, bool) {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return 0, false
	}
	defer func() { _ = dir.Close() }() // read only
	names, err := dir.Readdirnames(-1)
	return float64(len(names) - 1), err == nil // without the folder itself
}
