package bundlecheck

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// found is a file of the bundle.
type found struct {
	path string
	size int64
	sum  [sha256.Size]byte
}

// papers holds the manifest and its signature.
type papers struct {
	manifest  *output.Manifest // nil: it does not exist
	fault     error            // why the manifest cannot be used
	raw       []byte           // its bytes, if there is a key
	signature []byte           // nil: it does not exist
}

// inventory compares the files of the bundle with the manifest.
func (c *checker) inventory(t *tally) {
	c.signature(t)
	if c.papers.manifest == nil {
		t.errorf(whole(output.ManifestPath), "manifest-missing",
			"The bundle has no %s, so it cannot be checked for completeness.", output.ManifestPath)
		return
	}
	m := c.papers.manifest
	if err := c.papers.fault; err != nil {
		t.errorf(whole(output.ManifestPath), "manifest-invalid", "The list of files cannot be used: %v.", err)
		return
	}
	r := c.report
	r.Version, r.Commit, r.Tool, r.TreeHash = m.Version, m.Commit, m.Tool, m.TreeHash
	if c.opt.Version != "" && c.opt.Version != m.Version {
		t.errorf(whole(output.ManifestPath), "version-mismatch", "The bundle has the version %q, not %q.", m.Version,
			c.opt.Version)
	}
	there := slices.Concat(c.files, c.plain)
	c.files, c.plain = nil, nil
	slices.SortFunc(there, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	compare(there, m.Files, t)
}

// compare compares both lists, which are sorted by path.
func compare(there []found, listed []output.ManifestFile, t *tally) {
	for len(there) > 0 || len(listed) > 0 {
		switch {
		case len(there) == 0 || len(listed) > 0 && listed[0].Path < there[0].path:
			t.errorf(whole(listed[0].Path), "file-missing",
				"The file is listed in the manifest but missing from the bundle.")
			listed = listed[1:]
			continue
		case len(listed) == 0 || there[0].path < listed[0].Path:
			t.errorf(whole(there[0].path), "file-unlisted", "The file is in the bundle but not listed in the manifest.")
			there = there[1:]
			continue
		case there[0].size != listed[0].Size:
			t.errorf(whole(there[0].path), "file-altered", "The file has %d bytes, but the manifest says %d.",
				there[0].size, listed[0].Size)
		case there[0].sum != listed[0].SHA256:
			sum := output.Digest(there[0].sum)
			t.errorf(whole(there[0].path), "file-altered", "The file's SHA-256 is %s, but the manifest says %s.", sum,
				listed[0].SHA256)
		}
		there, listed = there[1:], listed[1:]
	}
}

// signature verifies the signature of the manifest, if the caller has a key.
func (c *checker) signature(t *tally) {
	at := whole(output.SignaturePath)
	c.report.Signature = Unsigned
	if c.papers.signature != nil {
		c.report.Signature = Unchecked
	}
	if c.opt.PublicKey == nil || c.papers.manifest == nil {
		return
	}
	if c.papers.signature == nil {
		t.errorf(at, "signature-missing", "The bundle is not signed, but a public key was given.")
		return
	}
	c.report.Signature = Valid
	if err := output.VerifySignature(c.papers.raw, c.papers.signature, c.opt.PublicKey); err != nil {
		c.report.Signature = Invalid
		t.errorf(at, "signature-invalid", "The signature is invalid: %v.", err)
	}
}
