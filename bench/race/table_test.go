package race

import (
	"bytes"
	"strings"
	"testing"
)

func TestRowsHaveRatiosAndLowerBounds(t *testing.T) {
	var out bytes.Buffer
	tab := table{out: &out}
	tab.head("10 pages", "ours")
	tab.base = figure{wall: 2, cpu: 4, peak: 100 << 20}
	tab.row(figure{name: "slow", wall: 300, cpu: 10, peak: 250 << 20, files: 7, bytes: 1_500_000})
	tab.row(figure{name: "late", wall: 900, cpu: 40, peak: 100 << 20, least: true})
	tab.row(figure{name: "broken", wall: 1, cpu: 1, peak: 1 << 20, failure: "exit 1: no"})
	tab.row(figure{name: "absent", failure: "not installed: no network"})
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	for i, want := range map[int]string{
		3: "slow 300.0 10.0 250 7 1.5 150 2.50 2.50",
		4: "late > 900.0 > 40.0 > 100 – – > 450 > 10.0 > 1.00",
		6: "failed: exit 1: no",
		7: "absent not installed: no network",
	} {
		if i >= len(rows) || rows[i] != want {
			t.Errorf("row %d is not %q:\n%s", i, want, out.String())
		}
	}
}

func TestRowReportsFastestTimeAndPeakMemory(t *testing.T) {
	f := best("x", []*took{{Wall: 3, CPU: 5, Peak: 10}, {Wall: 2, CPU: 4, Peak: 7}, {Wall: 4, CPU: 9, Peak: 8}})
	if f.wall != 2 || f.cpu != 4 || f.peak != 10 {
		t.Errorf("%+v", f)
	}
}

func TestThousandsInsertsCommas(t *testing.T) {
	for n, want := range map[int]string{7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s", n, got)
		}
	}
}

func TestSamplesCountForInnermostPackage(t *testing.T) {
	rooms := sumTraces([]byte(`File: bench
Type: cpu
-----------+-------------------------------------------------------
     120ms   github.com/klauspost/compress/flate.(*x).y
             github.com/lectern-docs/lectern/internal/site/output.Pack
             github.com/lectern-docs/lectern/internal/build.(*builder).page
-----------+-------------------------------------------------------
      30ms   runtime.memmove
             runtime.mallocgc
             github.com/lectern-docs/lectern/internal/mdx/jsx.Parse
-----------+-------------------------------------------------------
      50ms   runtime.scanobject
             runtime.gcBgMarkWorker
-----------+-------------------------------------------------------
     100ms   github.com/lectern-docs/lectern/internal/build.Build (inline)
`))
	for _, want := range []struct {
		room, kind string
		ms         float64
	}{{"output", "deflate", 120}, {"mdx", "allocate", 30}, {elsewhere, "collect", 50}, {"build", "own", 100}} {
		if got := rooms[want.room][want.kind]; got != want.ms {
			t.Errorf("%s, %s: %v ms, want %v", want.room, want.kind, got, want.ms)
		}
	}
	var out bytes.Buffer
	printShares(&out, "profile", rooms)
	if !strings.Contains(out.String(), "0.3 s of processor time") {
		t.Error(out.String())
	}
}
