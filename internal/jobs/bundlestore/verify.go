package bundlestore

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Expect describes which bundles are acceptable.
type Expect struct {
	Version   string             // required label in the manifest; "" = any
	SHA256    string             // required digest of the archive, in lower-case hex; "" = any
	PublicKey ed25519.PublicKey  // nil = no signature is required
	MaxBytes  int64              // of the archive; 0 = DefaultMaxBytes
	Limits    bundlecheck.Limits // of the unpacked content; zero = bundlecheck.Standard
}

// DefaultMaxBytes is the default maximum size of an archive.
const DefaultMaxBytes = 16 << 30

func (e Expect) orDefault() Expect {
	if e.MaxBytes <= 0 {
		e.MaxBytes = DefaultMaxBytes
	}
	if e.Limits == (bundlecheck.Limits{}) {
		e.Limits = bundlecheck.Standard()
	}
	return e
}

// CodeRefused is the fault code for a rejected bundle.
const CodeRefused = "bundle_refused"

// refused returns the fault for a rejected bundle.
func refused(format string, args ...any) *fault.Error {
	return fault.Newf(fault.Internal, CodeRefused, "The bundle was rejected: "+format, args...)
}

// explain converts a refusal by the archive reader into a fault. Other errors are local and stay unchanged.
func explain(err error) error {
	var r *bundlecheck.Refusal
	if errors.As(err, &r) {
		return refused("%s", r.Error()).WithCause(err)
	}
	return err
}

// readManifest reads the manifest of unpacked files and checks its version and signature.
func (e Expect) readManifest(files *os.Root) (m output.Manifest, err error) {
	f, err := files.Open(output.ManifestPath)
	if errors.Is(err, fs.ErrNotExist) {
		return m, refused("it has no %s, so it cannot be checked for completeness.", output.ManifestPath)
	}
	if err != nil {
		return m, fmt.Errorf("open manifest: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	if err := e.signed(files, f); err != nil {
		return m, err
	}
	in := &input{Reader: f}
	if m, err = output.ParseManifest(in); in.failed != nil {
		return m, fmt.Errorf("read manifest: %w", in.failed)
	}
	if err != nil {
		return m, refused("its %s cannot be used: %v.", output.ManifestPath, err).WithCause(err)
	}
	if e.Version != "" && e.Version != m.Version {
		return m, &unwanted{refused("it has the version %q, but %q is required.", m.Version, e.Version).
			WithHint("Change the pinned version, or provide a bundle with that version.")}
	}
	return m, nil
}

// maxSignature is the maximum size of a signature file, in bytes.
const maxSignature = 1 << 16

// signed checks the signature if there is a key. It leaves the manifest file positioned at its start.
func (e Expect) signed(files *os.Root, manifest *os.File) error {
	if e.PublicKey == nil {
		return nil
	}
	f, err := files.Open(output.SignaturePath)
	if errors.Is(err, fs.ErrNotExist) {
		return &unwanted{refused("it is not signed, but a public key was given.").WithCause(err)}
	}
	if err != nil {
		return fmt.Errorf("open signature: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	signature, err := io.ReadAll(io.LimitReader(f, maxSignature))
	if err != nil {
		return fmt.Errorf("read signature: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(manifest, output.MaxManifest+1))
	if err != nil {
		return fmt.Errorf("read manifest: %w", err)
	}
	if err := output.VerifySignature(raw, signature, e.PublicKey); err != nil {
		return &unwanted{refused("its signature is invalid.").WithCause(err)}
	}
	_, err = manifest.Seek(0, io.SeekStart)
	return err
}

// compare checks the unpacked files against the manifest.
func compare(m output.Manifest, entries map[pathKey]*entry) error {
	for _, f := range m.Files {
		e := entries[keyOf(f.Path)]
		switch {
		case e == nil:
			return refused("%q is listed in the manifest but missing.", f.Path)
		case e.size != f.Size:
			return refused("%q has %d bytes, but the manifest says %d.", f.Path, e.size, f.Size)
		case e.sum != f.SHA256:
			return refused("%q does not match the manifest: its SHA-256 differs.", f.Path)
		}
		e.listed = true
	}
	for _, paper := range []string{output.ManifestPath, output.SignaturePath} {
		if e := entries[keyOf(paper)]; e != nil {
			e.listed = true
		}
	}
	for _, e := range entries {
		if !e.listed {
			return refused("it contains a file that the manifest does not list.")
		}
	}
	return nil
}
