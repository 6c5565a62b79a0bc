package image

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// ReadVariant is one parsed architecture.
type ReadVariant struct {
	Platform   v1.Platform
	Descriptor v1.Descriptor
	Config     v1.ConfigFile
	Layers     [][]byte // tar streams, decompressed
	Parts      []byte   // its list of parts
	Packed     int64    // size of its compressed layers in bytes
}

const maxLayer = 1 << 30 // bytes of a decompressed layer

func (r *Read) variants(body []byte) error {
	var index v1.IndexManifest
	if err := decode(body, &index); err != nil {
		return err
	}
	for _, d := range index.Manifests {
		if d.MediaType != types.OCIManifestSchema1 || d.Platform == nil {
			return fmt.Errorf("%s is not an image for a platform", d.Digest)
		}
		v, err := r.variant(d)
		if err != nil {
			return fmt.Errorf("image for %s: %w", d.Platform.Architecture, err)
		}
		r.Variants = append(r.Variants, v)
	}
	return nil
}

func (r *Read) variant(d v1.Descriptor) (ReadVariant, error) {
	v := ReadVariant{Platform: *d.Platform, Descriptor: d}
	body, err := r.blob(d)
	if err != nil {
		return v, err
	}
	var m v1.Manifest
	if err := decode(body, &m); err != nil {
		return v, err
	}
	config, err := r.blob(m.Config)
	if err != nil {
		return v, err
	}
	if m.Config.MediaType != types.OCIConfigJSON {
		return v, fmt.Errorf("its configuration has the type %s", m.Config.MediaType)
	}
	if err := decode(config, &v.Config); err != nil {
		return v, err
	}
	if v.Config.Architecture != v.Platform.Architecture || v.Config.OS != v.Platform.OS ||
		len(v.Config.RootFS.DiffIDs) != len(m.Layers) {
		return v, errors.New("its configuration does not match its index or its layers")
	}
	for i, l := range m.Layers {
		plain, err := r.layer(l, v.Config.RootFS.DiffIDs[i])
		if err != nil {
			return v, err
		}
		v.Layers, v.Packed = append(v.Layers, plain), v.Packed+l.Size
	}
	return v, nil
}

func (r *Read) layer(d v1.Descriptor, diff v1.Hash) ([]byte, error) {
	packed, err := r.blob(d)
	if err != nil {
		return nil, err
	}
	if d.MediaType != types.OCILayer {
		return nil, fmt.Errorf("the layer %s has the type %s", d.Digest, d.MediaType)
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(zip, maxLayer+1))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain)
	if len(plain) > maxLayer || hex.EncodeToString(sum[:]) != diff.Hex {
		return nil, fmt.Errorf("the content of layer %s does not match its configuration", d.Digest)
	}
	return plain, nil
}

// parts assigns a list of parts to its image. The index comes first in the layout, so the images are already known.
func (r *Read) parts(body []byte) error {
	var m v1.Manifest
	if err := decode(body, &m); err != nil {
		return err
	}
	if m.Subject == nil || m.ArtifactType != PartsType || len(m.Layers) != 1 || m.Layers[0].MediaType != PartsType {
		return errors.New("a list of parts has no subject, or is not one list")
	}
	if _, err := r.blob(m.Config); err != nil {
		return err
	}
	list, err := r.blob(m.Layers[0])
	if err != nil {
		return err
	}
	for i := range r.Variants {
		if r.Variants[i].Descriptor.Digest == m.Subject.Digest && r.Variants[i].Parts == nil {
			r.Variants[i].Parts = list
			return nil
		}
	}
	return fmt.Errorf("a list of parts refers to %s, which is not an image of this layout", m.Subject.Digest)
}

func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read JSON: %w", err)
	}
	return nil
}
