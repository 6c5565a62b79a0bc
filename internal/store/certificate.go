package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// CertificateFile is a file in the server's TLS certificate storage: an account, a key, a certificate, or a challenge.
// File names are paths.
type CertificateFile struct {
	Name      string
	Sealed    string // encrypted; see sealbox
	Size      int64  // size of the content, in bytes
	UpdatedAt time.Time
}

const certificateFileColumns = `name, sealed, size, updated_at`

func scanCertificateFile(s scanner) (f CertificateFile, err error) {
	var updated int64
	err = s.Scan(&f.Name, &f.Sealed, &f.Size, &updated)
	f.UpdatedAt = fromMicros(updated)
	return f, err
}

// PutCertificateFile stores a file. It replaces a file with the same name.
func (s *Store) PutCertificateFile(ctx context.Context, f CertificateFile) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `INSERT INTO certificate_files (`+certificateFileColumns+`) VALUES ($1, $2, $3, $4)
			ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, size = excluded.size,
				updated_at = excluded.updated_at`, f.Name, f.Sealed, f.Size, micros(t.now()))
		return wrap("store certificate file", err)
	})
}

// FindCertificateFile returns a file by name, or a NotFound fault.
func (r reads) FindCertificateFile(ctx context.Context, name string) (CertificateFile, error) {
	f, err := single(ctx, r.q, scanCertificateFile,
		`SELECT `+certificateFileColumns+` FROM certificate_files WHERE name = $1`, name)
	if errors.Is(err, errNone) {
		return f, fault.Newf(fault.NotFound, "unknown_certificate_file", "There is no certificate file %q.", name)
	}
	return f, wrap("find certificate file", err)
}

// belowName matches the name $1 and all names below it; $2 is the number of characters of $1 plus the slash. An
// empty $1 matches all names.
const belowName = `($1 = '' OR name = $1 OR substr(name, 1, $2) = $1 || '/')`

// ListCertificateFiles returns the file with the given name and the files below it, ordered by name; an empty name
// selects all files.
func (r reads) ListCertificateFiles(ctx context.Context, name string) ([]CertificateFile, error) {
	list, err := collect(ctx, r.q, scanCertificateFile,
		`SELECT `+certificateFileColumns+` FROM certificate_files WHERE `+belowName+` ORDER BY name`,
		name, len([]rune(name))+1)
	return list, wrap("list certificate files", err)
}

// DeleteCertificateFiles deletes the file with the given name and the files below it, if any.
func (s *Store) DeleteCertificateFiles(ctx context.Context, name string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM certificate_files WHERE `+belowName, name, len([]rune(name))+1)
		return wrap("delete certificate files", err)
	})
}

// LockCertificate acquires the named lock for holder until life has passed, unless someone else holds it. The current
// holder extends the lock by calling LockCertificate again.
func (s *Store) LockCertificate(ctx context.Context, name, holder string, life time.Duration) (held bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		n, err := t.q.exec(ctx, `INSERT INTO certificate_locks (name, holder, until) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
			WHERE certificate_locks.holder = excluded.holder OR certificate_locks.until <= $4`,
			name, holder, micros(now.Add(life)), micros(now))
		held = n == 1
		return wrap("lock certificate", err)
	})
	return held, err
}

// UnlockCertificate releases the named lock if holder holds it.
func (s *Store) UnlockCertificate(ctx context.Context, name, holder string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM certificate_locks WHERE name = $1 AND holder = $2`, name, holder)
		return wrap("unlock certificate", err)
	})
}
