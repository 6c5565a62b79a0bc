package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Pair contains the paths of two PEM files: a certificate chain and its private key.
type Pair struct{ Certificate, Key string }

// Files serves certificates from files and reloads them when they change.
type Files struct {
	pairs  []Pair
	now    func() time.Time
	logger *slog.Logger

	mu      sync.Mutex
	loaded  []*tls.Certificate // guarded by mu
	stamps  []stamp            // guarded by mu; of the loaded files
	checked time.Time          // guarded by mu
}

// stamp identifies a version of a file.
type stamp struct {
	changed time.Time
	size    int64
}

// checkEvery is the minimum interval between checks of the files; a check happens on the next connection.
const checkEvery = 10 * time.Second

// NewFiles loads the files. pairs must not be empty.
func NewFiles(pairs []Pair, now func() time.Time, logger *slog.Logger) (*Files, error) {
	f := &Files{pairs: pairs, now: now, logger: logger}
	var err error
	f.loaded, f.stamps, err = load(pairs)
	f.checked = now()
	return f, err
}

// TLS returns the configuration for a listener.
func (f *Files) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: f.choose}
}

// choose returns the first certificate that matches the connection, or the first one if none matches.
func (f *Files) choose(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	loaded := f.fresh()
	for _, c := range loaded {
		if hello.SupportsCertificate(c) == nil {
			return c, nil
		}
	}
	return loaded[0], nil
}

// fresh reloads the files if they changed. If they cannot be used, it keeps the loaded certificates, because a key
// and its certificate are replaced one after the other.
func (f *Files) fresh() []*tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Sub(f.checked) < checkEvery && !now.Before(f.checked) {
		return f.loaded
	}
	f.checked = now
	if current, err := stampsOf(f.pairs); err != nil || equal(current, f.stamps) {
		return f.loaded
	}
	loaded, stamps, err := load(f.pairs)
	if err != nil {
		f.logger.Warn("failed to load changed certificates, using the previous ones", "error", err)
		return f.loaded
	}
	f.loaded, f.stamps = loaded, stamps
	f.logger.Info("loaded changed certificates")
	return f.loaded
}

func load(pairs []Pair) ([]*tls.Certificate, []stamp, error) {
	stamps, err := stampsOf(pairs) // before loading, so that files that change meanwhile are loaded again
	if err != nil {
		return nil, nil, err
	}
	var loaded []*tls.Certificate
	for _, p := range pairs {
		c, err := tls.LoadX509KeyPair(p.Certificate, p.Key)
		if err != nil {
			return nil, nil, fmt.Errorf("%s and %s: %w", p.Certificate, p.Key, err)
		}
		loaded = append(loaded, &c)
	}
	return loaded, stamps, nil
}

func stampsOf(pairs []Pair) ([]stamp, error) {
	var stamps []stamp
	for _, p := range pairs {
		for _, name := range []string{p.Certificate, p.Key} {
			info, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			stamps = append(stamps, stamp{info.ModTime(), info.Size()})
		}
	}
	return stamps, nil
}

func equal(a, b []stamp) bool {
	for i := range a {
		if !a[i].changed.Equal(b[i].changed) || a[i].size != b[i].size {
			return false
		}
	}
	return true
}

// leafOf parses the first certificate of a PEM chain.
func leafOf(chain []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(chain)
	if block == nil {
		return nil, errors.New("no PEM certificate found")
	}
	return x509.ParseCertificate(block.Bytes)
}
