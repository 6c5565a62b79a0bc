package sitehost

import (
	"context"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// turns is a store whose results the test provides, one for each query.
type turns chan chan string

func (t turns) ListLive(context.Context, string) ([]store.Live, error) {
	answer := make(chan string)
	t <- answer
	return []store.Live{{ProjectID: "prj", ManifestKey: <-answer}}, nil
}

func (turns) FindLivePreview(context.Context, string) (store.Live, error) {
	panic("no host is a preview")
}

// D5: of two concurrent lookups, the one that started and ended last may have read the older version. Requests that
// arrive after both have ended query the database again.
func TestOverlappingLookupsDoNotRestoreOldVersion(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sites := make(turns)
	f := &finder{sites: sites, now: func() time.Time { return start }, known: map[string]found{},
		absent: map[string]found{}}
	find := func() <-chan string {
		done := make(chan string, 1)
		go func() {
			sites, err := f.find(context.Background(), "docs.example.com")
			if err != nil || len(sites) != 1 {
				t.Error(sites, err)
			}
			done <- sites[0].ManifestKey
		}()
		return done
	}
	first := find()
	answerFirst := <-sites
	second := find()
	answerSecond := <-sites
	answerFirst <- "new"
	if got := <-first; got != "new" {
		t.Errorf("the first lookup found %s", got)
	}
	answerSecond <- "old"
	if got := <-second; got != "old" {
		t.Errorf("the second lookup found %s", got)
	}
	third := find()
	select {
	case answer := <-sites:
		answer <- "new"
	case got := <-third:
		t.Fatalf("a reader after both got %s without a lookup", got)
	}
	if got := <-third; got != "new" {
		t.Errorf("the third lookup found %s", got)
	}
	if got := <-find(); got != "new" { // which is cached now
		t.Errorf("the fourth reader got %s", got)
	}
}
