package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// blobs maps digests to the contents of a layout.
type blobs map[v1.Hash][]byte

func (b blobs) add(body []byte, kind types.MediaType) v1.Descriptor {
	sum := sha256.Sum256(body)
	h := v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])}
	b[h] = body
	return v1.Descriptor{MediaType: kind, Size: int64(len(body)), Digest: h}
}

// image adds an image's layers, configuration and manifest.
func (b blobs) image(image v1.Image) (v1.Descriptor, error) {
	layers, err := image.Layers()
	if err != nil {
		return v1.Descriptor{}, err
	}
	for _, l := range layers {
		r, err := l.Compressed()
		if err != nil {
			return v1.Descriptor{}, err
		}
		body, err := io.ReadAll(r)
		if closed := r.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return v1.Descriptor{}, err
		}
		b.add(body, types.OCILayer)
	}
	config, err := image.RawConfigFile()
	if err != nil {
		return v1.Descriptor{}, err
	}
	b.add(config, types.OCIConfigJSON)
	manifest, err := image.RawManifest()
	if err != nil {
		return v1.Descriptor{}, err
	}
	return b.add(manifest, types.OCIManifestSchema1), nil
}

// archive writes a layout to a single uncompressed tar file, because layers are already compressed.
func archive(top v1.IndexManifest, b blobs, at time.Time) ([]byte, error) {
	index, err := json.Marshal(top)
	if err != nil {
		return nil, fmt.Errorf("write layout: %w", err)
	}
	files := []tree.File{
		{Name: "oci-layout", Mode: 0o644, Body: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{Name: "index.json", Mode: 0o644, Body: index},
	}
	for h, body := range b {
		files = append(files, tree.File{Name: "blobs/" + h.Algorithm + "/" + h.Hex, Mode: 0o644, Body: body})
	}
	var out bytes.Buffer
	if err := tree.Tar(&out, "", files, at); err != nil {
		return nil, fmt.Errorf("write layout: %w", err)
	}
	return out.Bytes(), nil
}
