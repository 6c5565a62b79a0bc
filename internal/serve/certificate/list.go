package certificate

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Held is a stored certificate.
type Held struct {
	Host       string // its first name
	Begin, End time.Time
}

// ListStored returns the certificates in the database, for each host the one that expires last. The list may include
// hosts that are no longer served.
func ListStored(ctx context.Context, store Store, masters [][]byte) ([]Held, error) {
	s := newStorage(store, masters, nil)
	names, err := s.List(ctx, "certificates", true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	at, list := map[string]int{}, []Held(nil)
	for _, name := range names {
		if !strings.HasSuffix(name, ".crt") {
			continue
		}
		raw, err := s.Load(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since, or encrypted with another secret key
		}
		if err != nil {
			return nil, err
		}
		leaf, err := leafOf(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		held := describe(leaf)
		i, known := at[held.Host]
		switch {
		case !known:
			at[held.Host] = len(list)
			list = append(list, held)
		case held.End.After(list[i].End):
			list[i] = held
		}
	}
	return list, nil
}

// ReadHeld returns the certificates in PEM files.
func ReadHeld(files []string) (list []Held, err error) {
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		leaf, err := leafOf(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, describe(leaf))
	}
	return list, nil
}

func describe(leaf *x509.Certificate) Held {
	host := leaf.Subject.CommonName
	if len(leaf.DNSNames) > 0 {
		host = leaf.DNSNames[0]
	}
	return Held{Host: host, Begin: leaf.NotBefore, End: leaf.NotAfter}
}
