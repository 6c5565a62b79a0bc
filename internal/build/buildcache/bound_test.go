package buildcache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// work describes the records that builds of one site use.
type work struct {
	site    string
	records int
	size    int
	version []int // version of each record; a change results in a new key
}

func newWork(site string, records, size int) *work {
	return &work{site, records, size, make([]int, records)}
}

// build reads every record, stores the missing ones and returns their number.
func (w *work) build(t *testing.T, s *Store) (missing int) {
	t.Helper()
	n := s.Begin()
	for i, v := range w.version {
		key := keyOf(w.site, i, v)
		if got, ok := n.Get(key); ok {
			if len(got) != w.size || got[0] != valueOf(key, 1)[0] {
				t.Fatal("the cache returned a wrong value")
			}
			continue
		}
		missing++
		n.Put(key, valueOf(key, w.size))
	}
	n.Close()
	return missing
}

func TestManySmallEditsKeepFewPacksAndAllRecords(t *testing.T) {
	const bound = 1 << 20
	c := newClock()
	s := openStore(t, t.TempDir(), bound, c.Now)
	w := newWork("site", 200, 2000) // two fifths of the limit
	w.build(t, s)
	most := 0
	for edit := range 900 { // together more than the size limit
		w.version[edit*7%w.records]++
		c.pass(10 * time.Second)
		if missing := w.build(t, s); missing != 1 {
			t.Fatalf("edit %d: %d records were missing, want only the changed one", edit, missing)
		}
		u, err := s.Usage()
		if err != nil || u.Bytes > bound || u.Packs > bigPacks+3*tierCount+1 {
			t.Fatalf("edit %d: usage is %+v, %v", edit, u, err)
		}
		most = max(most, u.Packs)
	}
	if most < together {
		t.Errorf("there were at most %d packs, so nothing had to be merged", most)
	}
}

func TestLargeChangesKeepRecordsInUse(t *testing.T) {
	const bound = 4 << 20
	c := newClock()
	s := openStore(t, t.TempDir(), bound, c.Now)
	w := newWork("site", 600, 1900)
	w.build(t, s)
	for change := range 60 {
		c.pass(time.Hour)
		for i := range w.records / 5 { // a fifth of the pages
			w.version[(change*131+i*3)%w.records]++
		}
		if missing := w.build(t, s); missing > w.records/5 {
			t.Fatalf("change %d: %d records were missing", change, missing)
		}
		if missing := w.build(t, s); missing != 0 {
			t.Fatalf("change %d: %d records were missing in the second build", change, missing)
		}
		if u, err := s.Usage(); err != nil || u.Bytes > bound || u.Packs > bigPacks+3*tierCount+1 {
			t.Fatalf("change %d: usage is %+v, %v", change, u, err)
		}
	}
}

func TestLeastRecentlyBuiltSitesAreEvictedFirst(t *testing.T) {
	const bound = 1 << 20
	c := newClock()
	s := openStore(t, t.TempDir(), bound, c.Now)
	often, first := newWork("often", 60, 2000), newWork("first", 60, 2000)
	often.build(t, s)
	first.build(t, s)
	for i := range 20 {
		c.pass(time.Hour)
		newWork(fmt.Sprint("other", i), 60, 2000).build(t, s)
		if missing := often.build(t, s); missing > 0 {
			t.Fatalf("after %d other sites, %d records of the site in use are gone", i, missing)
		}
		if u, err := s.Usage(); err != nil || u.Bytes > bound {
			t.Fatalf("usage is %+v, %v", u, err)
		}
	}
	if missing := first.build(t, s); missing != 60 {
		t.Errorf("%d of 60 records of the site that was never rebuilt are gone", missing)
	}
}

func TestFilesOfCrashedProcessesAreRemovedAfterADay(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, 0, time.Now)
	old, young := filepath.Join(dir, "0000000000000001-1-0.tmp"), filepath.Join(dir, "0000000000000002-1-0.tmp")
	for _, f := range []string{old, young, filepath.Join(dir, "0000000000000003-1-0.pack7")} {
		if err := os.WriteFile(f, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	s.Begin().Close()
	left, err := filepath.Glob(filepath.Join(dir, "0*"))
	if err != nil || len(left) != 2 {
		t.Errorf("remaining files: %v, %v; want the recent one and the pack in another format", left, err)
	}
}

func TestLastUseIsWrittenAtMostOnceAMinute(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	s := openStore(t, dir, 0, c.Now)
	w := newWork("site", 3, 10)
	w.build(t, s)
	used := func() time.Time {
		files, err := listFiles(s.root)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		return files[0].used
	}
	made := used()
	c.pass(30 * time.Second)
	w.build(t, s)
	if !used().Equal(made) {
		t.Error("use was written after half a minute")
	}
	c.pass(31 * time.Second)
	s.Begin().Close() // finds nothing
	if !used().Equal(made) {
		t.Error("use was written by a session that found nothing")
	}
	w.build(t, s)
	if got := used().Sub(made); got < time.Minute || got > 2*time.Minute {
		t.Errorf("last use is %v after the pack was written", got)
	}
}

func TestMergesSelectsPacksByTier(t *testing.T) {
	const bound = 64 << 10 // the highest tier ends at 1024
	for size, want := range map[int64]int{0: 0, 16: 0, 17: 1, 64: 1, 65: 2, 256: 2, 257: 3, 1024: 3, 1025: 4,
		1 << 40: 4} {
		if got := tier(size, bound); got != want {
			t.Errorf("%d bytes: tier %d, want %d", size, got, want)
		}
	}
	list := func(sizes ...int64) (out []file) {
		for i, size := range sizes {
			out = append(out, file{name: fmt.Sprintf("%d%s", i, packEnding), size: size})
		}
		return out
	}
	for _, c := range []struct {
		files []file
		own   int64
		want  int
	}{
		{list(10, 10, 10), 0, 0},
		{list(10, 10, 10), 10, 3},
		{list(10, 10, 10), 500, 0},
		{list(10, 10, 10, 10), 0, 4},
		// the merged pack is the fourth of the next tier
		{list(10, 10, 10, 60, 60, 60), 10, 6},
		{list(2000, 2000, 2000, 2000, 2000), 2000, 0},                            // not merged
		{list(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000), 0, 8}, // at most an eighth of the limit at once
	} {
		if got := merges(c.files, c.own, bound); len(got) != c.want {
			t.Errorf("merges(%v, %d) selects %d packs, want %d", c.files, c.own, len(got), c.want)
		}
	}
}
