package image

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Read is a parsed and verified layout: every blob matches the digest in its name and the size and type in its
// descriptor, and there are no unreferenced blobs.
type Read struct {
	Index    v1.Descriptor // all architectures
	Variants []ReadVariant // in the order of the index
	blobs    map[v1.Hash][]byte
	seen     map[v1.Hash]bool
	order    []v1.Descriptor // all descriptors in the order of traversal: an index precedes its images
}

// Parse parses and verifies the archive of a layout.
func Parse(archived []byte) (*Read, error) {
	r := &Read{blobs: map[v1.Hash][]byte{}, seen: map[v1.Hash]bool{}}
	top, err := r.unpack(archived)
	if err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	if err := r.follow(top); err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	for h := range r.blobs {
		if !r.seen[h] {
			return nil, fmt.Errorf("read layout: nothing refers to the blob %s", h)
		}
	}
	return r, nil
}

// unpack reads the archive's files and returns index.json.
func (r *Read) unpack(archived []byte) (top v1.IndexManifest, err error) {
	var marker, index []byte
	for tr := tar.NewReader(bytes.NewReader(archived)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return top, err
		}
		if h.Typeflag == tar.TypeDir {
			continue
		}
		body, err := io.ReadAll(tr)
		if err != nil {
			return top, err
		}
		switch name := strings.TrimPrefix(h.Name, "blobs/sha256/"); {
		case h.Name == "oci-layout":
			marker = body
		case h.Name == "index.json":
			index = body
		case name != h.Name && path.Base(name) == name:
			sum := sha256.Sum256(body)
			if hex.EncodeToString(sum[:]) != name {
				return top, fmt.Errorf("the blob %s has another digest than its name", name)
			}
			r.blobs[v1.Hash{Algorithm: "sha256", Hex: name}] = body
		default:
			return top, fmt.Errorf("%s does not belong here", h.Name)
		}
	}
	if string(marker) != `{"imageLayoutVersion":"1.0.0"}` {
		return top, errors.New("not a layout of version 1.0.0")
	}
	return top, decode(index, &top)
}

// follow reads the targets of index.json: one index of architectures, and lists of parts.
func (r *Read) follow(top v1.IndexManifest) error {
	for _, d := range top.Manifests {
		body, err := r.blob(d)
		if err != nil {
			return err
		}
		switch {
		case d.MediaType == types.OCIImageIndex && r.Index.Size == 0:
			r.Index = d
			if err := r.variants(body); err != nil {
				return err
			}
		case d.MediaType == types.OCIManifestSchema1 && d.ArtifactType == PartsType:
			if err := r.parts(body); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s is neither the index nor a list of parts", d.Digest)
		}
	}
	if len(r.Variants) == 0 {
		return errors.New("it has no image")
	}
	for _, v := range r.Variants {
		if v.Parts == nil {
			return fmt.Errorf("the image for %s has no list of parts", v.Platform.Architecture)
		}
	}
	return nil
}

// blob returns a descriptor's blob.
func (r *Read) blob(d v1.Descriptor) ([]byte, error) {
	body, ok := r.blobs[d.Digest]
	if !ok {
		return nil, fmt.Errorf("the blob %s is missing", d.Digest)
	}
	if int64(len(body)) != d.Size {
		return nil, fmt.Errorf("the blob %s has %d bytes, not %d", d.Digest, len(body), d.Size)
	}
	if !r.seen[d.Digest] {
		r.seen[d.Digest] = true
		r.order = append(r.order, d)
	}
	return body, nil
}
