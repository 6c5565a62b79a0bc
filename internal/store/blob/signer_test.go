package blob_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

const week = 7 * 24 * time.Hour

var (
	masterA = []byte(strings.Repeat("a", 32))
	masterB = []byte(strings.Repeat("b", 32))
	// weekStart is the first moment of a key's period.
	weekStart = time.Unix(2900*int64(week/time.Second), 0)
)

func signerAt(t testing.TB, now time.Time, current []byte, previous ...[]byte) *blob.Signer {
	t.Helper()
	signer, err := blob.NewSigner(current, previous, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

func sign(t testing.TB, signer *blob.Signer, life time.Duration) (string, time.Time) {
	t.Helper()
	query, expires, err := signer.Sign("/blob/a", "a b.zip", life)
	if err != nil {
		t.Fatal(err)
	}
	return query, expires
}

func verify(t *testing.T, signer *blob.Signer, query, wantCode string) {
	t.Helper()
	name, err := signer.Verify("GET", "/blob/a", query)
	if wantCode == "" {
		if err != nil || name != "a b.zip" {
			t.Errorf("verify = %q, %v", name, err)
		}
		return
	}
	if !fault.Is(err, fault.Forbidden) || !fault.HasCode(err, wantCode) {
		t.Errorf("verify = %v, want %s", err, wantCode)
	}
}

func TestLongestLinkRemainsValidAcrossPeriods(t *testing.T) {
	query, expires := sign(t, signerAt(t, weekStart.Add(week-time.Second), masterA), week)
	if want := weekStart.Add(2*week - time.Second); !expires.Equal(want) {
		t.Fatalf("expires %s, want %s", expires, want)
	}
	verify(t, signerAt(t, expires.Add(-time.Nanosecond), masterA), query, "")
	verify(t, signerAt(t, expires, masterA), query, "link_expired")
	verify(t, signerAt(t, expires.Add(10*week), masterA), query, "link_expired")
}

func TestEachPeriodHasItsOwnKey(t *testing.T) {
	first, _ := sign(t, signerAt(t, weekStart, masterA), time.Hour)
	second, _ := sign(t, signerAt(t, weekStart.Add(week), masterA), time.Hour)
	if !strings.Contains(first, "&kid=2900&") || !strings.Contains(second, "&kid=2901&") {
		t.Fatalf("key ids of\n%s\n%s", first, second)
	}
	// If the number of the period is changed in a link, the signature does not match any more.
	verify(t, signerAt(t, weekStart, masterA), strings.Replace(first, "kid=2900", "kid=2899", 1), "bad_link")
}

func TestPreviousMasterKeysRemainValid(t *testing.T) {
	old, _ := sign(t, signerAt(t, weekStart, masterA), time.Hour)
	verify(t, signerAt(t, weekStart, masterB, masterA), old, "")
	verify(t, signerAt(t, weekStart, masterB), old, "bad_link")
	verify(t, signerAt(t, weekStart.Add(2*time.Hour), masterB, masterA), old, "link_expired")
}

func TestSmallClockSkewIsAcceptedAtPeriodStart(t *testing.T) {
	query, _ := sign(t, signerAt(t, weekStart, masterA), time.Hour)
	verify(t, signerAt(t, weekStart.Add(-5*time.Second), masterA), query, "")
	verify(t, signerAt(t, weekStart.Add(-6*time.Second), masterA), query, "bad_link")
}

func TestSignatureCoversMethodAndPath(t *testing.T) {
	signer := signerAt(t, weekStart, masterA)
	query, _ := sign(t, signer, time.Hour)
	for _, request := range [][2]string{{"HEAD", "/blob/a"}, {"PUT", "/blob/a"}, {"GET", "/blob/b"},
		{"GET", "/blob/a/"}, {"GET", ""}} {
		if _, err := signer.Verify(request[0], request[1], query); !fault.HasCode(err, "bad_link") {
			t.Errorf("%s %s = %v", request[0], request[1], err)
		}
	}
}

func TestShortMasterKeysAreRefused(t *testing.T) {
	for _, masters := range [][][]byte{{nil}, {masterA[:31]}, {masterA, masterB[:31]}} {
		if _, err := blob.NewSigner(masters[0], masters[1:], time.Now); err == nil {
			t.Errorf("accepted masters of %d and %d bytes", len(masters[0]), len(masters[len(masters)-1]))
		}
	}
}

// FuzzVerify checks that only the signed query opens the path.
func FuzzVerify(f *testing.F) {
	signer := signerAt(f, weekStart, masterA)
	signed, _ := sign(f, signer, time.Hour)
	for _, query := range []string{
		signed, "", "&&&", signed + "&", signed + "=", strings.ToUpper(signed), strings.Replace(signed, "+", "%20", 1),
		"expires=1&kid=2&name=&sig=", "expires=99999999999999999999&kid=-1&name=%zz&sig=a",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := signer.Verify("GET", "/blob/a", query); (err == nil) != (query == signed) {
			t.Errorf("verify %q = %v", query, err)
		}
	})
}
