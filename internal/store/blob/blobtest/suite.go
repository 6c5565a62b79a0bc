package blobtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Fixture is an empty store, together with the access from outside that the suite needs. A running server must serve
// its links.
type Fixture struct {
	Store blob.Store
	// Until waits until the clock that determines when links expire has reached the moment.
	Until func(t *testing.T, moment time.Time)
	// Unfinished lists what unfinished writes have stored so far: temporary files, parts of uploads.
	Unfinished func(t *testing.T) []string
	// OneSpelling means that links are compared byte by byte, so that any other encoding of the same path and values is
	// refused.
	OneSpelling bool
	// OtherRefusals lists statuses other than 403 that the driver's server returns for links that it cannot parse.
	OtherRefusals []int
}

// Run tests a driver. It calls open once for each test; open releases its resources with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Fixture) {
	tests := []struct {
		name string
		test func(*testing.T, Fixture)
	}{
		{"a stored blob is read back", testRoundTrip},
		{"a reader seeks", testSeek},
		{"a missing blob is a not-found fault", testAbsent},
		{"an empty blob can be stored", testEmpty},
		{"a second put replaces the first", testOverwrite},
		{"delete removes one blob and may be repeated", testDelete},
		{"list returns the blobs with the prefix", testList},
		{"list stops at the first error", testListStops},
		{"list allows deletion of the blobs that it returns", testListDelete},
		{"a failed reader leaves nothing behind", testFailingReader},
		{"a cancelled context leaves nothing behind", testCancelledContext},
		{"a failed put keeps the earlier blob", testFailedOverwrite},
		{"an unfinished put is invisible", testInvisible},
		{"concurrent puts and reads never mix", testConcurrent},
		{"an open reader never mixes two blobs", testReplacedWhileRead},
		{"hostile keys are refused", testHostileKeys},
		{"unusual keys are distinct", testUnusualKeys},
		{"a link downloads its blob", testLink},
		{"a link reads ranges", testLinkRange},
		{"a link with any byte altered is refused", testLinkAltered},
		{"the expiry of a link cannot be changed", testLinkLonger},
		{"a link is valid for one method", testLinkMethods},
		{"a link is valid for one blob", testLinkOtherBlob},
		{"a link to a missing blob returns not found", testLinkAbsent},
		{"invalid link options are refused", testLinkWishes},
		{"a link expires at its announced time", testLinkExpiry},
		{"a running download finishes after its link expires", testLinkDownloadAcrossExpiry},
		{"a renewed link returns the same bytes", testLinkRenewal},
	}
	// It runs alone, before the others, because it measures the memory of the whole process.
	t.Run("memory does not grow with the blob", func(t *testing.T) { testFlatMemory(t, open(t)) })
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.test(t, open(t))
		})
	}
}

// bytesOf returns n varied bytes. For the same seed, it returns the same bytes.
func bytesOf(n int, seed uint64) []byte {
	content := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(content) // never fails
	return content
}

func put(t *testing.T, s blob.Store, key string, content []byte) {
	t.Helper()
	size, err := s.Put(t.Context(), key, bytes.NewReader(content))
	if err != nil {
		t.Fatalf("put %s: %v", key, err)
	}
	if size != int64(len(content)) {
		t.Fatalf("put %s: size %d, want %d", key, size, len(content))
	}
}

// get reads a whole blob.
func get(t *testing.T, s blob.Store, key string) []byte {
	t.Helper()
	r, info, err := s.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("open %s: %v", key, err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	if info.Key != key || info.Size != int64(len(content)) {
		t.Errorf("info of %s = %+v, content has %d bytes", key, info, len(content))
	}
	return content
}

func wantContent(t *testing.T, s blob.Store, key string, want []byte) {
	t.Helper()
	if got := get(t, s, key); !bytes.Equal(got, want) {
		t.Fatalf("%s holds %d bytes (sha256 %s), want %d (%s)", key, len(got), digest(got), len(want), digest(want))
	}
}

func wantAbsent(t *testing.T, s blob.Store, key string) {
	t.Helper()
	r, _, err := s.Open(t.Context(), key)
	if err == nil {
		_ = r.Close()
		t.Fatalf("%s exists", key)
	}
	if !fault.Is(err, fault.NotFound) || !fault.HasCode(err, "blob_not_found") {
		t.Fatalf("open %s: %v, want the fault blob_not_found", key, err)
	}
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
