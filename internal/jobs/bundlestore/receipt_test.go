package bundlestore

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"sync/atomic"
	"testing"
	"time"
)

// links is a server for presigned links: the path identifies the bundle, and the query is the signature.
type links struct {
	*httptest.Server
	given atomic.Int64 // number of whole bundles sent
}

func newLinks(t *testing.T) *links {
	t.Helper()
	l := &links{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version := path.Base(r.URL.Path)
		if w.Header().Set("ETag", `"`+version+`"`); r.Header.Get("If-None-Match") == `"`+version+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		l.given.Add(1)
		_, _ = w.Write(bundleOf(t, version))
	}))
	t.Cleanup(l.Close)
	return l
}

// shared is a folder that several processes use.
type shared struct {
	t     *testing.T
	links *links
	dir   string
	now   func() time.Time
}

func newShared(t *testing.T) *shared {
	t.Helper()
	return &shared{t, newLinks(t), t.TempDir(), steps()}
}

// begin does what a new process does when it starts with a link and a pin; the pin may be "".
func (s *shared) begin(link, version string) Outcome {
	s.t.Helper()
	v, err := Open(s.dir, s.now)
	if err != nil {
		s.t.Fatal(err)
	}
	v.Shared = true
	want := Expect{Version: version}
	if _, err := v.Pin(want); err != nil {
		s.t.Fatal(err)
	}
	if _, _, err := v.Prefer(context.Background(), want); err != nil {
		s.t.Fatal(err)
	}
	return s.ask(v, link, want)
}

func (s *shared) ask(v *Volume, link string, want Expect) Outcome {
	s.t.Helper()
	unlock, err := v.Lock()
	if err != nil {
		s.t.Fatal(err)
	}
	defer unlock()
	src, err := NewFromWeb(s.links.URL+"/"+link, 0, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := v.Receive(context.Background(), src, want)
	if err != nil {
		s.t.Fatalf("%s: %v", link, err)
	}
	return out
}

// points fails the test unless the pointer is at this version.
func (s *shared) points(want string) *Volume {
	s.t.Helper()
	v, err := Existing(s.dir, s.now)
	if err != nil {
		s.t.Fatal(err)
	}
	now, err := v.Current()
	if err != nil {
		s.t.Fatal(err)
	}
	if r, err := v.Find(now.Digest); err != nil || r.Version != want {
		s.t.Fatalf("the pointer is on %q, want %q: %v", r.Version, want, err)
	}
	return v
}

// B13: a process that restarts with an old link that still works does not move a shared volume's pointer back.
func TestOldLinkDoesNotMoveThePointerBack(t *testing.T) {
	s := newShared(t)
	s.begin("v1?sig=a", "")
	if out := s.begin("v2?sig=b", ""); !out.Activated {
		t.Fatalf("new link: %+v", out)
	}
	given := s.links.given.Load()
	for range 2 {
		if out := s.begin("v1?sig=a", ""); out.Activated || !out.Superseded || out.Record.Version != "v1" {
			t.Fatalf("old link: %+v", out)
		}
		s.points("v2")
	}
	if now := s.links.given.Load(); now != given {
		t.Errorf("%d downloads of bundles that will not be served", now-given)
	}
	if out := s.begin("v2?sig=b", ""); out.Activated || out.Superseded {
		t.Errorf("current link: %+v", out)
	}
	s.points("v2")
}

// Two running processes on one folder poll different links: the newer version stays current, and neither process
// downloads anything.
func TestPollingDifferentLinksKeepsNewerVersion(t *testing.T) {
	s := newShared(t)
	one, two := s.open(), s.open()
	s.ask(one, "v1?sig=a", Expect{})
	s.ask(two, "v2?sig=b", Expect{})
	for range 3 {
		s.ask(one, "v1?sig=a", Expect{})
		s.points("v2")
		s.ask(two, "v2?sig=b", Expect{})
		s.points("v2")
	}
	if given := s.links.given.Load(); given != 2 {
		t.Errorf("downloaded %d times", given)
	}
}

func (s *shared) open() *Volume {
	s.t.Helper()
	v, err := Open(s.dir, s.now)
	if err != nil {
		s.t.Fatal(err)
	}
	v.Shared = true
	return v
}

// On a volume that is not shared, the link given at start is what the operator wants: helm rollback passes an old
// one. Polling that link later does not move the pointer back again.
func TestOldLinkAtStartRollsBackUnsharedVolume(t *testing.T) {
	s := newShared(t)
	begin := func(link string) *Volume {
		v, err := Open(s.dir, s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.ask(v, link, Expect{})
		return v
	}
	begin("v1?sig=a")
	begin("v2?sig=b")
	old := begin("v1?sig=a")
	s.points("v1")
	begin("v2?sig=b")
	s.points("v2")
	s.ask(old, "v1?sig=a", Expect{})
	s.points("v2")
}

// The operator can roll back with a new link to the old archive, with a pin, or manually.
func TestExplicitRollbackMovesThePointer(t *testing.T) {
	for name, back := range map[string]func(s *shared){
		"a new link to the old archive":  func(s *shared) { s.begin("v1?sig=new", "") },
		"the old link in a new revision": func(s *shared) { s.begin("v1?sig=a#revision-3", "") },
		"a pin":                          func(s *shared) { s.begin("v1?sig=a", "v1") },
		"by hand": func(s *shared) {
			if _, err := s.open().Rollback("v1"); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShared(t)
			s.begin("v0?sig=z", "")
			s.begin("v1?sig=a", "")
			s.begin("v2?sig=b", "")
			back(s)
			s.points("v1")
			s.begin("v0?sig=z", "") // an older link still does not move the pointer
			s.points("v1")
			s.begin("v3?sig=c", "") // a new bundle does
			s.points("v3")
			for _, old := range []string{"v0?sig=z", "v1?sig=a", "v2?sig=b"} {
				s.begin(old, "")
				s.points("v3")
			}
		})
	}
}

// A new link or a manual choice stays in effect when the link that it replaced is used again.
func TestReplacedLinkDoesNotUndoARollback(t *testing.T) {
	s := newShared(t)
	s.begin("v1?sig=a", "")
	s.begin("v2?sig=b", "")
	s.begin("v1?sig=new", "")
	s.begin("v2?sig=b", "")
	s.points("v1")
	if _, err := s.open().Rollback("v2"); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"v1?sig=a", "v1?sig=new"} {
		s.begin(link, "")
		s.points("v2")
	}
}

// Removing a pin to an older bundle undoes the pin, just like helm rollback; a pin to a new bundle counts like any new
// bundle.
func TestRemovingPinRestoresLinkedVersion(t *testing.T) {
	for name, link := range map[string]string{"fetched again": "v1?sig=a", "kept, by a new link": "v1?sig=new"} {
		t.Run(name, func(t *testing.T) {
			s := newShared(t)
			s.begin("v1?sig=a", "")
			s.begin("v2?sig=b", "")
			s.begin(link, "v1")
			s.points("v1")
			s.begin("v2?sig=b", "")
			s.points("v2")
		})
	}
	s := newShared(t)
	s.begin("v1?sig=a", "")
	s.begin("v2?sig=b", "v2")
	s.begin("v1?sig=a", "")
	s.points("v2")
}

// A pruned bundle from an old link is not stored again, which would make it look like the newest one.
func TestSupersededBundleIsNotStoredAgain(t *testing.T) {
	s := newShared(t)
	for i, link := range []string{"v1?sig=a", "v2?sig=b", "v3?sig=c"} {
		if out := s.begin(link, ""); !out.Activated {
			t.Fatalf("%d: %+v", i, out)
		}
	}
	v := s.points("v3")
	if gone, err := v.Prune(2, ""); err != nil || len(gone) != 1 {
		t.Fatal(gone, err)
	}
	forget(t, v) // a host without tags: the archive has to be downloaded to identify it
	if out := s.begin("v1?sig=a", ""); out.Activated || !out.Superseded {
		t.Fatalf("%+v", out)
	}
	if list, err := v.List(); err != nil || len(list) != 2 {
		t.Errorf("kept: %+v, %v", list, err)
	}
	if out := s.begin("v1?sig=a", "v1"); out.Record.Version != "v1" { // a pin brings it back
		t.Errorf("pinned: %+v", out)
	}
	if list, err := v.List(); err != nil || len(list) != 3 {
		t.Errorf("kept: %+v, %v", list, err)
	}
}

// forget removes the tags from the receipts.
func forget(t *testing.T, v *Volume) {
	t.Helper()
	list, err := v.receipts()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Tag = ""
	}
	data, err := json.Marshal(map[string]receipts{"receipts": list})
	if err != nil {
		t.Fatal(err)
	}
	store(t, v.path(sourceName), data)
}

// A version removed because it was damaged is downloaded again from its link, although the pointer has moved to the
// previous version.
func TestDamagedVersionIsDownloadedAgainFromItsLink(t *testing.T) {
	s := newShared(t)
	s.begin("v1?sig=a", "")
	s.begin("v2?sig=b", "")
	v := s.points("v2")
	now, err := v.Current()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(v.path(versionsName, now.Digest, filesName, "index.html")); err != nil {
		t.Fatal(err)
	}
	r, err := v.Recover(t.Context(), false, Expect{})
	if err != nil || r.Version == nil || r.Version.Record.Version != "v1" {
		t.Fatalf("%+v, %v", r, err)
	}
	_ = r.Version.Close()
	if out := s.begin("v2?sig=b", ""); !out.Activated {
		t.Errorf("%+v", out)
	}
	s.points("v2")
}

// A source at a fixed URL may offer an older bundle again, because that differs from the one it offered last.
func TestFixedURLMayOfferAnOlderBundleAgain(t *testing.T) {
	v, name := volume(t), t.TempDir()+"/site.tar.gz"
	for i, version := range []string{"v1", "v2", "v1", "v2"} {
		src := store(t, name, bundleOf(t, version))
		at := time.Unix(int64(i+1), 0)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		if out, err := v.Receive(t.Context(), src, Expect{}); err != nil || !out.Activated {
			t.Fatalf("%d: %+v, %v", i, out, err)
		}
	}
}
