package debian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Store downloads packages and caches them by digest, so that a second build of a release needs no network.
type Store struct {
	Dir     string // cache folder
	Mirror  string // such as http://deb.debian.org; mirrors remove a version when a newer one is released
	Archive string // keeps every version, such as https://snapshot.debian.org/archive; "" = none
	Client  *http.Client
}

// places returns the URLs at which a package may be found.
func (s Store) places(l Lock, p Package) []string {
	out := []string{strings.TrimSuffix(s.Mirror, "/") + "/" + p.Path}
	if s.Archive != "" { // archive/debian/20260102T030405Z/pool/…
		suite, rest, _ := strings.Cut(p.Path, "/")
		out = append(out, strings.TrimSuffix(s.Archive, "/")+"/"+suite+"/"+l.Snapshot+"/"+rest)
	}
	return out
}

// ErrDropped means that the mirror no longer has the package and that no other place has the pinned bytes either.
var ErrDropped = errors.New("the mirror no longer has the pinned version")

var errMissing, errOther = errors.New("it is not there"), errors.New("its SHA-256 is not the pinned one")

// Fetch returns a package whose digest is the pinned one. If any place returned other bytes, the error reports that
// instead of ErrDropped, because it is worse than a missing package.
func (s Store) Fetch(ctx context.Context, l Lock, p Package) ([]byte, error) {
	kept := filepath.Join(s.Dir, p.SHA256+".deb")
	if b, err := os.ReadFile(kept); err == nil && p.fits(b) {
		return b, nil
	}
	var wrong []error
	dropped := false
	for at, address := range s.places(l, p) {
		b, err := s.get(ctx, address, p.Size)
		if err == nil && !p.fits(b) {
			err = fmt.Errorf("get %s: %w", address, errOther)
		}
		if err != nil {
			wrong = append(wrong, err)
			dropped = (dropped || at == 0 && errors.Is(err, errMissing)) && !errors.Is(err, errOther)
			continue
		}
		return b, s.keep(kept, b)
	}
	if dropped {
		wrong = append([]error{ErrDropped}, wrong...)
	}
	return nil, fmt.Errorf("fetch package %s %s: %w", p.Name, p.Version, errors.Join(wrong...))
}

func (p Package) fits(b []byte) bool {
	sum := sha256.Sum256(b)
	return int64(len(b)) == p.Size && hex.EncodeToString(sum[:]) == p.SHA256
}

// get reads at most one byte more than limit, so that the caller can detect a response that is too long.
func (s Store) get(ctx context.Context, address string, limit int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", address, err)
	}
	res, err := s.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", address, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone {
		return nil, fmt.Errorf("get %s: %w", address, errMissing)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("get %s: %s", address, res.Status)
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", address, err)
	}
	return b, nil
}

// keep writes a file atomically, because another build may be reading.
func (s Store) keep(at string, b []byte) error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return fmt.Errorf("keep package: %w", err)
	}
	f, err := os.CreateTemp(s.Dir, "package-*")
	if err != nil {
		return fmt.Errorf("keep package: %w", err)
	}
	_, err = f.Write(b)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), at)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("keep package: %w", err)
	}
	return nil
}
