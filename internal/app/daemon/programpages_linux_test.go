package daemon

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Modified mappings are never released: their content is not in the file.
func TestOnlyCleanMappingsOfTheProgramAreReleased(t *testing.T) {
	const smaps = `00400000-02103000 r-xp 00000000 fe:00 127 /usr/bin/lectern
Rss:               27084 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
02103000-043b5000 r--p 01d03000 fe:00 127 /usr/bin/lectern
Anonymous:             0 kB
043b5000-04400000 r--p 03fb5000 fe:00 127 /usr/bin/lectern
Anonymous:            16 kB
04400000-04500000 rw-p 04000000 fe:00 127 /usr/bin/lectern
Anonymous:             0 kB
7f0000000000-7f0000100000 r--p 00000000 fe:00 128 /usr/lib/other
Anonymous:             0 kB
7f0000200000-7f0000300000 r--p 00000000 00:00 0
Anonymous:             0 kB
`
	got, err := cleanMappings(strings.NewReader(smaps), "/usr/bin/lectern")
	want := []mapping{{0x400000, 0x2103000}, {0x2103000, 0x43b5000}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("releases %x, %v; want %x", got, err, want)
	}
}

// The process continues after its pages are released, and has fewer resident pages.
func TestProgramPagesAreReleased(t *testing.T) {
	text := strings.Repeat("what is in memory stays ", 1000)
	before := residentFile(t)
	if err := releaseProgramPages(); err != nil {
		t.Fatal(err)
	}
	if after := residentFile(t); after >= before {
		t.Errorf("%d kB of files are resident, %d before", after, before)
	}
	if len(strings.Fields(text)) != 5000 {
		t.Error("memory was lost")
	}
}

// residentFile returns the size of mapped file pages that are resident, in kB. A program on an in-memory file system
// counts as shared memory.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, name := range []string{"RssFile:", "RssShmem:"} {
		_, rest, _ := strings.Cut(string(status), name)
		kb, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			t.Fatal(err)
		}
		sum += kb
	}
	return sum
}
