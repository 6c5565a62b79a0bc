package bundlestore

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// B13: if a process was killed after it recorded a bundle and before it moved the pointer, the same link later moves
// the pointer, unless another link was used first.
func TestKillBetweenReceiptAndPointerLosesNothing(t *testing.T) {
	for _, step := range []string{"source written", "source replaced", "current written", "current replaced"} {
		for _, other := range []bool{false, true} {
			t.Run(fmt.Sprint(step, ", another one first: ", other), func(t *testing.T) {
				v := volume(t)
				v.Shared = true
				receive(t, v, bundleOf(t, "v1"))
				if _, err := v.Rollback("v1"); err != nil { // an earlier manual choice does not count either
					t.Fatal(err)
				}
				src := given(t, bundleOf(t, "v2"))
				stopAt(t, v.dir, src.Path, step)
				want := "v2"
				if other {
					receive(t, v, bundleOf(t, "v3"))
				}
				if other && step != "source written" { // then no receipt says that v2 was received before
					want = "v3"
				}
				if _, err := v.Receive(t.Context(), src, Expect{}); err != nil {
					t.Fatal(err)
				}
				if got := served(t, v); got != want {
					t.Errorf("serves %q, want %q", got, want)
				}
			})
		}
	}
}

// A folder written by an earlier version of this program records only the last bundle received. It is used unchanged,
// and nothing is downloaded.
func TestFolderFromEarlierReleaseIsReadable(t *testing.T) {
	s := newShared(t)
	out := s.begin("v1?sig=a", "")
	v := s.points("v1")
	old := fmt.Sprintf(`{"source":"%s/v1","tag":"\"v1\"","digest":"%s"}`, s.links.URL, out.Record.Digest)
	store(t, v.path(sourceName), []byte(old+"\n"))
	given := s.links.given.Load()
	if out := s.begin("v1?sig=other", ""); !out.Unchanged || out.Activated || s.links.given.Load() != given {
		t.Errorf("%+v", out)
	}
	s.begin("v2?sig=b", "")
	s.begin("v1?sig=other", "")
	s.points("v2")
	for _, text := range []string{"", "{", `{"receipts":7}`} { // a folder with a damaged file is treated as new
		store(t, v.path(sourceName), []byte(text))
		if out := s.begin("v3?sig="+fmt.Sprint(len(text)), ""); out.Record.Version != "v3" {
			t.Errorf("%q: %+v", text, out)
		}
	}
	s.points("v3")
}

// Backups and other containers read the folder, so it must not contain a link's secret.
func TestReceiptsDoNotContainLinkSecrets(t *testing.T) {
	s := newShared(t)
	s.begin("v1?sig=topsecret", "")
	data, err := os.ReadFile(s.points("v1").path(sourceName))
	if err != nil || strings.Contains(string(data), "topsecret") ||
		!strings.Contains(string(data), `"received": "2026-01-02T`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestNumberOfReceiptsIsBounded(t *testing.T) {
	v := volume(t)
	var list receipts
	for i := range maxReceipts {
		list = append(list, receipt{Number: int64(i + 1), Key: fmt.Sprint(i), Digest: "x"})
	}
	if err := v.remember(list, receipt{Key: "new", Digest: "y"}); err != nil {
		t.Fatal(err)
	}
	got, err := v.receipts()
	if err != nil || len(got) != maxReceipts || got[0].Key != "1" || got.number() != maxReceipts+1 {
		t.Errorf("%d receipts, first %+v, %v", len(got), got[0], err)
	}
}
