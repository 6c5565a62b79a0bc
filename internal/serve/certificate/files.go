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

// Pair names the files of a certificate, with its chain, and of its private key, both in PEM.
type Pair struct{ Certificate, Key string }

// Files serves certificates from files and reads them again after they were replaced.
type Files struct {
	pairs  []Pair
	now    func() time.Time
	logger *slog.Logger

	mu      sync.Mutex
	loaded  []*tls.Certificate // guarded by mu
	stamps  []stamp            // guarded by mu; of the files that were read
	checked time.Time          // guarded by mu
}

// stamp tells a replaced file from the one that was read.
type stamp struct {
	changed time.Time
	size    int64
}

// checkEvery is how often files are looked at, on the next connection.
const checkEvery = 10 * time.Second

// NewFiles reads the files; there is at least one pair.
func NewFiles(pairs []Pair, now func() time.Time, logger *slog.Logger) (*Files, error) {
	f := &Files{pairs: pairs, now: now, logger: logger}
	var err error
	f.loaded, f.stamps, err = load(pairs)
	f.checked = now()
	return f, err
}

// TLS returns the configuration of a listener.
func (f *Files) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: f.choose}
}

// choose returns the first certificate that fits the connection, or the first of all.
func (f *Files) choose(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	loaded := f.fresh()
	for _, c := range loaded {
		if hello.SupportsCertificate(c) == nil {
			return c, nil
		}
	}
	return loaded[0], nil
}

// fresh reads the files again if they were replaced. Files that cannot be used leave the certificates as they are: a
// key and its certificate are replaced one after the other.
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
		f.logger.Warn("could not read replaced certificate, the earlier one stays in use", "error", err)
		return f.loaded
	}
	f.loaded, f.stamps = loaded, stamps
	f.logger.Info("read replaced certificates")
	return f.loaded
}

func load(pairs []Pair) ([]*tls.Certificate, []stamp, error) {
	stamps, err := stampsOf(pairs) // before reading: what is replaced meanwhile is read again
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

// leafOf parses the first certificate of a chain in PEM.
func leafOf(chain []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(chain)
	if block == nil {
		return nil, errors.New("no certificate in PEM")
	}
	return x509.ParseCertificate(block.Bytes)
}
