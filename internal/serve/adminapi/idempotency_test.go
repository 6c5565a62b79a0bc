package adminapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func repeatable(a ask, key string) ask {
	a.header = map[string]string{"Idempotency-Key": key}
	return a
}

// A4: the same request gets the same response; a different request with the same key is refused; a day later the key
// can be used again.
func TestRepeatedRequestRunsOnce(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	second := w.newTenant(t, "b", account.PlanEnterprise)
	for name, other := range map[string]ask{
		"startStaticExportJob": {"POST", "/v1/static-export/jobs", x.key,
			`{"domain":"docs.a.example","version":"other"}`, nil},
		"startUpdate":  {"POST", "/v1/project/update/" + x.folder.ID, x.key, "", nil},
		"startPreview": {"POST", "/v1/project/preview/" + x.project.ID, x.key, `{"branch":"other"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := samples[name].ask(x)
			a.method, a.key = "POST", x.key
			first := w.do(t, repeatable(a, "word-"+name)).want(t, 202)
			if a.body != "" {
				a.body = strings.Replace(a.body, ":", " :\n ", 1) // whitespace is ignored
			}
			again := w.do(t, repeatable(a, "word-"+name)).want(t, 202)
			if string(again.body) != string(first.body) ||
				again.header.Get("Location") != first.header.Get("Location") || first.header.Get("Location") == "" {
				t.Errorf("first %s %v, again %s %v", first.body, first.header, again.body, again.header)
			}
			if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("replay is not marked: %v, %v", first.header, again.header)
			}
			if got := w.do(t, repeatable(other, "word-"+name)).want(t, 409); got.code(t) != "idempotency_key_reused" {
				t.Errorf("%s", got.body)
			}
			theirs := samples[name].ask(second)
			theirs.method, theirs.key = "POST", second.key
			w.do(t, repeatable(theirs, "word-"+name)).want(t, 202)
		})
	}
	a := ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}
	w.do(t, repeatable(a, "daily")).want(t, 202)
	w.clock.Advance(store.IdempotencyLife + time.Second)
	if later := w.do(t, repeatable(a, "daily")).want(t, 202); later.header.Get("Idempotency-Replayed") != "" {
		t.Error("a day later the same key still returns the old response")
	}
}

// A4: an attempt stored by an earlier release, in which the operation had another name, still counts.
func TestIdempotencyKeysFromEarlierReleasesRemainValid(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	a := ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}
	w.do(t, repeatable(a, "nightly")).want(t, 202)
	err := w.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Reserve(t.Context(),
			store.Attempt{OrganizationID: x.org.ID, Route: "startExport", Key: "nightly", BodyHash: "other"})
		return err
	})
	if f, ok := fault.As(err); !ok || f.Code != "idempotency_key_reused" {
		t.Errorf("the attempt is not stored as startExport: %v", err)
	}
}

// A4: a hundred concurrent requests start one job, and all of them return it.
func TestParallelRepeatsStartOneJob(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	a := repeatable(ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}, "once only")
	replies := make([]reply, 100)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() { replies[i] = w.do(t, a) })
	}
	wg.Wait()
	fresh := 0
	for _, r := range replies {
		if r.status != 202 || string(r.body) != string(replies[0].body) {
			t.Fatalf("%d %s", r.status, r.body)
		}
		if r.header.Get("Idempotency-Replayed") == "" {
			fresh++
		}
	}
	jobs, _, err := w.store.ListExports(t.Context(), x.org.ID, export.Queued, store.Page{Limit: 100})
	must(t, err)
	if fresh != 1 || len(jobs) != 2 { // one in addition to the tenant's own
		t.Errorf("%d fresh responses, %d jobs exist", fresh, len(jobs))
	}
}

// A4: a refused request is not remembered.
func TestRefusedRequestDoesNotUseItsIdempotencyKey(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	w.do(t, repeatable(ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.nowhere.example"}`, nil}, "k")).
		want(t, 404)
	w.do(t, repeatable(ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":7}`, nil}, "k")).want(t, 400)
	got := w.do(t, repeatable(ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}, "k")).
		want(t, 202)
	if got.header.Get("Idempotency-Replayed") != "" {
		t.Error("a refused request was remembered")
	}
}

func TestBadIdempotencyKeysAreReported(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for _, bad := range []string{strings.Repeat("x", 256), "tab\there", "gr\u00fcn"} {
		got := w.do(t, repeatable(ask{"POST", "/v1/project/update/" + x.project.ID, x.key, "", nil}, bad)).want(t, 400)
		if !strings.Contains(string(got.body), "Idempotency-Key") {
			t.Errorf("%s", got.body)
		}
	}
	w.do(t, repeatable(ask{"POST", "/v1/project/update/" + x.project.ID, x.key, "", nil}, strings.Repeat("x", 255))).
		want(t, 202)
	req, err := http.NewRequestWithContext(t.Context(), "POST", w.server.URL+"/v1/project/update/"+x.project.ID, nil)
	must(t, err)
	req.Header = http.Header{"Authorization": {"Bearer " + x.key}, "Idempotency-Key": {"one", "two"}}
	res, err := w.server.Client().Do(req)
	must(t, err)
	defer res.Body.Close()
	if res.StatusCode != 400 {
		t.Errorf("two keys at once: %d", res.StatusCode)
	}
}
