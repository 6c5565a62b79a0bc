package linkcheck_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/linkcheck"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

type memory map[[32]byte][]byte

func (m memory) Get(key [32]byte) ([]byte, bool) { v, ok := m[key]; return v, ok }
func (m memory) Put(key [32]byte, value []byte)  { m[key] = value }
func guarded(t *testing.T, allow ...string) *http.Client {
	guard, err := outbound.NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	return guard.Client(outbound.Limits{Time: time.Minute})
}

func TestOnlyGoneAddressesAreReported(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch {
		case r.URL.Path == "/gone":
			w.WriteHeader(http.StatusGone)
		case r.URL.Path == "/busy":
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/no-head" && r.Method == http.MethodHead:
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/here", http.StatusMovedPermanently)
		}
	}))
	t.Cleanup(site.Close)
	list := []string{site.URL + "/here", site.URL + "/here", site.URL + "/gone", site.URL + "/busy", site.URL + "/no-head", site.URL + "/moved"}
	opt := linkcheck.Options{Client: guarded(t, "127.0.0.1"), Cache: memory{}, Day: time.Date(2026, 3, 4, 5, 0, 0, 0, time.UTC)}
	got, err := linkcheck.Run(t.Context(), list, opt)
	want := map[string]string{site.URL + "/gone": "the site responds with 410"}
	if err != nil || !maps.Equal(got.Gone, want) || got.Unknown != 1 || got.Left != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	first := asked.Load()
	if again, err := linkcheck.Run(t.Context(), list, opt); err != nil || len(again.Gone) != 1 || asked.Load()-first != 4 {
		t.Errorf("good results were not cached: %d requests, then %d; %v", first, asked.Load()-first, err)
	}
	opt.Day = opt.Day.AddDate(0, 0, 1)
	opt.Client = guarded(t) // addresses of the operator's network are not requested
	if inside, err := linkcheck.Run(t.Context(), list, opt); err != nil || len(inside.Gone) != 0 || inside.Unknown != 5 {
		t.Errorf("%+v, %v", inside, err)
	}
}
