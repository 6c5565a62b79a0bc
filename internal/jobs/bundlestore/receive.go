package bundlestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Outcome is the result of a request to a source.
type Outcome struct {
	Record     Record // has only a digest if a superseded version is not stored
	Unchanged  bool   // the source still has the same bundle
	Activated  bool   // the pointer moved
	Held       bool   // the version was rolled back, so the pointer stayed
	Superseded bool   // received before and replaced by another version since, so the pointer stayed
}

// Receive fetches a bundle from a source, verifies and stores it if it is acceptable, and points to it. On failure
// nothing changes.
func (v *Volume) Receive(ctx context.Context, src Source, want Expect) (out Outcome, err error) {
	want = want.orDefault()
	list, err := v.receipts()
	if err != nil {
		return out, err
	}
	got := receipt{Key: receiptKey(src, want), Source: src.Name(), Pinned: want.named()}
	known, no := v.known(list, got, want), v.no.of(src, want)
	if no != nil {
		known = no.receipt
	}
	body, tag, err := src.Fetch(ctx, known.Tag)
	if errors.Is(err, ErrUnchanged) && no != nil {
		return out, no.err
	}
	if errors.Is(err, ErrUnchanged) {
		got.Tag, got.Digest, out.Unchanged = known.Tag, known.Digest, true
		if v.replaced(list, got, want) {
			return out, v.pass(&out, list, got)
		}
		if out.Record, err = v.Find(got.Digest); err == nil {
			err = v.agrees(out.Record, want)
		}
		return out, v.activate(&out, list, got, err)
	}
	if err != nil {
		return out, err
	}
	v.no = nil
	archive, digest, err := v.download(body, want)
	if err != nil {
		return out, err
	}
	got.Tag, got.Digest = tag, digest
	defer func() { err = errors.Join(err, archive.Close(), os.Remove(archive.Name())) }()
	v.at("archive downloaded")
	if v.replaced(list, got, want) {
		return out, v.pass(&out, list, got)
	}
	switch out.Record, err = v.intact(ctx, digest); {
	case err == nil:
		err = v.agrees(out.Record, want)
	case isDamage(err): // or not stored
		out.Record, err = v.installArchive(ctx, archive, digest, want)
	}
	if err = v.activate(&out, list, got, err); err != nil {
		return out, v.refuse(got, want, err)
	}
	return out, nil
}

// pass records a superseded bundle without activating it.
func (v *Volume) pass(out *Outcome, list receipts, got receipt) error {
	out.Superseded, out.Record = true, Record{Digest: got.Digest}
	if r, err := v.Find(got.Digest); err == nil {
		out.Record = r
	}
	return v.remember(list, got)
}

// download streams the archive to disk and stops at the size limit.
func (v *Volume) download(body io.ReadCloser, want Expect) (archive *os.File, digest string, err error) {
	defer func() { _ = body.Close() }() // already read to the end, or abandoned
	if archive, err = os.CreateTemp(v.path(incomingName), "archive-*"); err != nil {
		return nil, "", fmt.Errorf("store archive: %w", err)
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(archive, h), io.LimitReader(body, want.MaxBytes+1))
	digest = hex.EncodeToString(h.Sum(nil))
	switch {
	case err != nil:
		if _, ours := fault.As(err); !ours {
			err = fault.New(fault.Unavailable, "download_failed", "The bundle could not be downloaded completely.").
				WithCause(err)
		}
	case n > want.MaxBytes:
		err = refused("it is larger than %d bytes.", want.MaxBytes)
	case want.SHA256 != "" && want.SHA256 != digest:
		err = refused("its SHA-256 is %s, but %s is required.", digest, want.SHA256)
	}
	if err != nil {
		return nil, "", errors.Join(err, archive.Close(), os.Remove(archive.Name()))
	}
	return archive, digest, nil
}

// intact finds a version that is stored and complete.
func (v *Volume) intact(ctx context.Context, digest string) (Record, error) {
	version, err := v.whole(ctx, digest, false)
	if err != nil {
		return Record{}, err
	}
	return version.Record, version.Close()
}

// agrees checks whether a stored version is acceptable now.
func (v *Volume) agrees(r Record, want Expect) error {
	if want.SHA256 != "" && want.SHA256 != r.Digest {
		return refused("its SHA-256 is %s, but %s is required.", r.Digest, want.SHA256)
	}
	files, err := os.OpenRoot(v.path(versionsName, r.Digest, filesName))
	if err != nil {
		return fmt.Errorf("open version: %w", err)
	}
	defer func() { _ = files.Close() }() // read only
	_, err = want.readManifest(files)
	return err
}

// ReceiveFolder adds a bundle that is already unpacked, applying the rules for archives, without pointing to it. The
// version's digest is the hash of the folder's tree.
func (v *Volume) ReceiveFolder(ctx context.Context, folder fs.FS, want Expect) (Record, error) {
	return v.install(ctx, bundlecheck.Folder(folder), "", want.orDefault())
}

func (v *Volume) installArchive(ctx context.Context, archive *os.File, digest string, want Expect) (Record, error) {
	info, err := archive.Stat()
	if err != nil {
		return Record{}, fmt.Errorf("unpack bundle: %w", err)
	}
	return v.install(ctx, bundlecheck.Archive(archive, info.Size()), digest, want)
}

// install unpacks a bundle into a temporary folder, verifies it, and adds it to the versions in one step. digest is
// the archive's digest, or "" for a folder.
func (v *Volume) install(ctx context.Context, src bundlecheck.Source, digest string, want Expect) (r Record,
	err error) {
	aside, err := os.MkdirTemp(v.path(incomingName), "unpack-*")
	if err != nil {
		return r, fmt.Errorf("unpack bundle: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(aside)) }()
	if err := os.Chmod(aside, 0o755); err != nil {
		return r, fmt.Errorf("unpack bundle: %w", err)
	}
	if r, err = v.unpackInto(ctx, aside, src, want); err != nil {
		return r, err
	}
	v.at("unpacked")
	if digest == "" {
		digest = r.TreeHash
	}
	r.Digest, r.Received = digest, v.now().UTC()
	data, err := json.MarshalIndent(r, "", " ")
	if err == nil {
		err = os.WriteFile(aside+"/"+recordName, append(data, '\n'), 0o644)
	}
	v.at("record written")
	if err == nil {
		err = durable.SyncTree(aside)
	}
	v.at("synced")
	if err != nil {
		return r, fmt.Errorf("store version: %w", err)
	}
	final := v.path(versionsName, digest)
	if err := v.displace(digest); err != nil { // the existing copy is damaged; otherwise it would have been used
		return r, fmt.Errorf("store version: %w", err)
	}
	v.at("old one of the same digest removed")
	if err := os.Rename(aside, final); err != nil {
		return r, fmt.Errorf("store version: %w", err)
	}
	v.at("stored")
	return r, durable.Sync(v.path(versionsName))
}

func (v *Volume) unpackInto(ctx context.Context, aside string, src bundlecheck.Source, want Expect) (r Record,
	err error) {
	var roots [2]*os.Root
	for i, name := range []string{filesName, packedName} {
		if err := os.Mkdir(aside+"/"+name, 0o755); err != nil {
			return r, fmt.Errorf("unpack bundle: %w", err)
		}
		if roots[i], err = os.OpenRoot(aside + "/" + name); err != nil {
			return r, fmt.Errorf("unpack bundle: %w", err)
		}
		defer func() { _ = roots[i].Close() }() // all files below it are closed
	}
	u := newUnpacker(roots[0], roots[1])
	if err := bundlecheck.Walk(ctx, src, want.Limits, u.visit); err != nil {
		return r, explain(err)
	}
	m, err := want.readManifest(roots[0])
	if err == nil {
		err = compare(m, u.entries)
	}
	if err != nil {
		return r, err
	}
	raw := tableOf(u.entries)
	if err := os.WriteFile(aside+"/"+tableName, raw, 0o644); err != nil {
		return r, fmt.Errorf("write table: %w", err)
	}
	return Record{Version: m.Version, Commit: m.Commit, TreeHash: m.Hash(), Features: m.Features, Pages: m.Pages,
		Files: len(u.entries), Bytes: u.bytes,
		Table: output.Digest(sha256.Sum256(raw))}, nil
}

// activate records that a version was received and points to it, unless there was an error or the version was rolled
// back or superseded.
func (v *Volume) activate(out *Outcome, list receipts, got receipt, err error) error {
	if err != nil {
		return err
	}
	if err := v.remember(list, got); err != nil {
		return err
	}
	now, err := v.Current()
	if err != nil && !isDamage(err) {
		return err
	}
	if err != nil {
		now = Pointer{} // a damaged pointer is replaced
	}
	superseded := v.superseded(list, got, now)
	v.asked = got.Key
	if now.Digest == got.Digest {
		return nil
	}
	out.Held = slices.Contains(now.Held, got.Digest)
	out.Superseded = !out.Held && superseded
	if out.Held || out.Superseded {
		return nil
	}
	if err := v.Point(Pointer{Digest: got.Digest}); err != nil {
		return err
	}
	out.Activated = true
	return nil
}
