package build

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

func TestAddedPageChangesOneGroup(t *testing.T) {
	var pages []*site.Page
	for i := range 2000 {
		pages = append(pages, &site.Page{Path: fmt.Sprintf("guides/page-%04d", i)})
	}
	keys := func(pages []*site.Page) map[[sha256.Size]byte]bool {
		k, out, n := &pageCache{}, map[[sha256.Size]byte]bool{}, 0
		for _, g := range groupsOf(pages) {
			out[k.groupKey(g)] = true
			n += len(g)
		}
		if n != len(pages) {
			t.Errorf("%d of %d pages are in groups", n, len(pages))
		}
		return out
	}
	before := keys(pages)
	after := keys(slices.Insert(slices.Clone(pages), 1000, &site.Page{Path: "guides/page-0999a"}))
	changed := 0
	for key := range after {
		if !before[key] {
			changed++
		}
	}
	if len(before) < 10 || changed == 0 || changed > 2 { // the page may also divide a group
		t.Errorf("%d of %d groups changed", changed, len(before))
	}
}

// A page without a new record, such as one with errors, does not remove its earlier record or those of others.
func TestGroupKeepsRecordsOfUnrenderedPages(t *testing.T) {
	k := &pageCache{cache: newFaultyCache(1)}
	pages := []*site.Page{{Path: "a"}, {Path: "b"}, {Path: "c"}}
	k.storeGroup(k.loadGroup(pages), [][]byte{[]byte("a1"), []byte("b1"), nil})
	k.storeGroup(k.loadGroup(pages), [][]byte{nil, []byte("b2"), []byte("c2")})
	if got := k.loadGroup(pages).kept; string(bytes.Join(got, []byte(" "))) != "a1 b2 c2" {
		t.Errorf("%q", got)
	}
	if got := k.loadGroup(pages[:2]).kept; len(got) != 2 || len(got[0])+len(got[1]) > 0 {
		t.Errorf("another group has the records %q", got)
	}
}

func TestDamagedGroupHasNoRecords(t *testing.T) {
	cache := newFaultyCache(1)
	k := &pageCache{cache: cache}
	pages := []*site.Page{{Path: "a"}, {Path: "b"}}
	k.storeGroup(k.loadGroup(pages), [][]byte{[]byte("record of a"), []byte("record of b")})
	whole := cache.values[k.groupKey(pages)]
	for n := range whole {
		for _, damaged := range [][]byte{whole[:n], append(bytes.Clone(whole), whole[:n+1]...)} {
			cache.values[k.groupKey(pages)] = damaged
			if got := k.loadGroup(pages).kept; len(got) != 2 || got[0] != nil || got[1] != nil {
				t.Fatalf("%q has the records %q", damaged, got)
			}
		}
	}
}
