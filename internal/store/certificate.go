package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// CertificateFile is one file of the server's TLS certificates: an account, a key, a certificate, or a challenge. The
// names of files are paths.
type CertificateFile struct {
	Name      string
	Sealed    string // encrypted; see sealbox
	Size      int64  // of the content, in bytes
	UpdatedAt time.Time
}

const certificateFileColumns = `name, sealed, size, updated_at`

func scanCertificateFile(s scanner) (f CertificateFile, err error) {
	var updated int64
	err = s.Scan(&f.Name, &f.Sealed, &f.Size, &updated)
	f.UpdatedAt = fromMicros(updated)
	return f, err
}

// PutCertificateFile stores a file over the one that has the name.
func (s *Store) PutCertificateFile(ctx context.Context, f CertificateFile) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `INSERT INTO certificate_files (`+certificateFileColumns+`) VALUES ($1, $2, $3, $4)
			ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, size = excluded.size,
				updated_at = excluded.updated_at`, f.Name, f.Sealed, f.Size, micros(t.now()))
		return wrap("store certificate file", err)
	})
}

// FindCertificateFile returns a file by its name, or a NotFound fault.
func (r reads) FindCertificateFile(ctx context.Context, name string) (CertificateFile, error) {
	f, err := single(ctx, r.q, scanCertificateFile,
		`SELECT `+certificateFileColumns+` FROM certificate_files WHERE name = $1`, name)
	if errors.Is(err, errNone) {
		return f, fault.Newf(fault.NotFound, "unknown_certificate_file", "There is no certificate file %q.", name)
	}
	return f, wrap("find certificate file", err)
}

// belowName matches the name $1 and, with $2 its number of characters and a slash, all names below it; all names if $1
// is empty.
const belowName = `($1 = '' OR name = $1 OR substr(name, 1, $2) = $1 || '/')`

// ListCertificateFiles returns the file with the name and those below it, ordered by name; all if the name is empty.
func (r reads) ListCertificateFiles(ctx context.Context, name string) ([]CertificateFile, error) {
	list, err := collect(ctx, r.q, scanCertificateFile,
		`SELECT `+certificateFileColumns+` FROM certificate_files WHERE `+belowName+` ORDER BY name`,
		name, len([]rune(name))+1)
	return list, wrap("list certificate files", err)
}

// DeleteCertificateFiles removes the file with the name and those below it. Without such files it does nothing.
func (s *Store) DeleteCertificateFiles(ctx context.Context, name string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM certificate_files WHERE `+belowName, name, len([]rune(name))+1)
		return wrap("delete certificate files", err)
	})
}

// LockCertificate gives the lock of a name to a holder until a life has passed, if nobody else holds it. The holder
// itself makes it last longer by calling it again.
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

// UnlockCertificate takes the lock of a name from its holder; another holder's stays.
func (s *Store) UnlockCertificate(ctx context.Context, name, holder string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM certificate_locks WHERE name = $1 AND holder = $2`, name, holder)
		return wrap("unlock certificate", err)
	})
}
