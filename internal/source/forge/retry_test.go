package forge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// waiting returns a retrying host with scripted responses. The host appends its delays to waits.
func waiting(t *testing.T, waits *[]time.Duration, answers ...http.HandlerFunc) retryingHost {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > len(answers) {
			t.Errorf("%d requests", asked)
			return
		}
		answers[asked-1](w, r)
	}))
	t.Cleanup(server.Close)
	host := github.New(github.Options{API: server.URL, Owner: "acme", Name: "docs", HTTP: forgetest.Client(t),
		Now: time.Now})
	return retryingHost{host: host,
		pause: func(ctx context.Context, d time.Duration) error { *waits = append(*waits, d); return ctx.Err() }}
}

func busy(status int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
	}
}

func one(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"number": 7, "state": "open"}`) }

func TestBusyHostIsRetried(t *testing.T) {
	var waits []time.Duration
	p := waiting(t, &waits, busy(502, ""), busy(429, "30"), busy(503, ""), one)
	if got, err := p.Get(t.Context(), 7); err != nil || got.Number != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	if want := "[1s 30s 4s]"; fmt.Sprint(waits) != want {
		t.Errorf("waited %v", waits)
	}
}

func TestBusyHostIsRetriedForReleases(t *testing.T) {
	var waits []time.Duration
	p := waiting(t, &waits, busy(502, ""), func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"tag_name": "v1", "name": "One", "body": "Notes"}`)
	}, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"tag_name": "v2", "draft": true}`) })
	releases := retryingReleases{releases: p.host.(pull.Releases), pause: p.pause}
	if got, err := releases.Release(t.Context(), "v1"); err != nil || got != (pull.Release{Title: "One", Notes: "Notes"}) ||
		fmt.Sprint(waits) != "[1s]" {
		t.Errorf("%+v, %v after %v", got, err, waits)
	}
	if _, err := releases.Release(t.Context(), "v2"); !fault.HasCode(err, "unknown_release") {
		t.Errorf("a draft: %v", err)
	}
}

func TestRetriesAreLimited(t *testing.T) {
	for name, c := range map[string]struct {
		answers []http.HandlerFunc
		code    string
		waits   int
	}{
		"always busy": {[]http.HandlerFunc{busy(502, ""), busy(502, ""), busy(502, ""), busy(502, ""),
			busy(502, "")}, "forge_busy", 4},
		"busy for half an hour":  {[]http.HandlerFunc{busy(429, "1800")}, "forge_busy", 0},
		"a refusal is no answer": {[]http.HandlerFunc{busy(401, "")}, "forge_key_refused", 0},
	} {
		var waits []time.Duration
		_, err := waiting(t, &waits, c.answers...).Find(t.Context(), "x")
		if !fault.HasCode(err, c.code) || len(waits) != c.waits {
			t.Errorf("%s: %v after %v", name, err, waits)
		}
	}
	var waits []time.Duration
	ctx, cancel := context.WithCancel(t.Context())
	p := waiting(t, &waits, func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		w.WriteHeader(http.StatusBadGateway)
	})
	if _, err := p.Find(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// G7: if the response to the first request is lost, the retry finds the pull request that the first one opened.
func TestLostResponseOpensNoDuplicatePullRequest(t *testing.T) {
	rig, key := forgetest.GitHub(t)
	lost := false
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, rig.URL+r.URL.RequestURI(), r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		out.Header = r.Header
		resp, err := http.DefaultClient.Do(out)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close() // read by Write
		if r.Method == http.MethodPost && !lost {
			lost = true
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(resp.StatusCode)
		buf := make([]byte, 1<<20)
		n, _ := resp.Body.Read(buf)
		_, _ = w.Write(buf[:n])
	}))
	t.Cleanup(between.Close)
	host := github.New(github.Options{API: between.URL + "/api/v3", Owner: "acme", Name: "docs",
		HTTP: forgetest.Client(t), Now: time.Now, Token: func(context.Context) (string, error) { return key, nil }})
	p := retryingHost{host: host, pause: func(context.Context, time.Duration) error { return nil }}
	rig.Branch(t, "lectern/x")
	got, err := p.Open(t.Context(), pull.Request{Title: "T", Head: "lectern/x", Base: "main"})
	if err != nil || !lost || got.Number != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
