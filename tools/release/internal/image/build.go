package image

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// PartsType is the media type of a list of parts.
const PartsType = "application/vnd.cyclonedx+json"

// Image contains the properties that all architectures of an image share.
type Image struct {
	Name        string // such as lectern
	Title       string
	Version     string
	Revision    string // commit id
	Source      string // URL of the repository
	Entrypoint  []string
	Command     []string
	Environment []string
	Time        time.Time
}

// Variant is one architecture of an image.
type Variant struct {
	Arch   string
	Layers []Layer
	Parts  []byte // SBOM
}

// Layer is a packed set of files with a description. Images may share a layer.
type Layer struct {
	What   string
	Packed []byte
}

// NewLayer packs files.
func NewLayer(what string, files []tree.File, at time.Time) (Layer, error) {
	packed, err := tree.TarGz("", files, at)
	if err != nil {
		return Layer{}, fmt.Errorf("create layer: %w", err)
	}
	return Layer{What: what, Packed: packed}, nil
}

// labels returns the labels shown by registries and scanners.
func (i Image) labels() map[string]string {
	return map[string]string{
		"org.opencontainers.image.title": i.Name, "org.opencontainers.image.description": i.Title,
		"org.opencontainers.image.version":  i.Version,
		"org.opencontainers.image.revision": i.Revision, "org.opencontainers.image.source": i.Source,
		"org.opencontainers.image.url":      i.Source,
		"org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.created": i.Time.UTC().
							Format(time.RFC3339),
	}
}

// Layout returns the archive of a layout with all variants.
func (i Image) Layout(variants []Variant) ([]byte, error) {
	blobs := blobs{}
	index := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Annotations: i.labels()}
	top := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex}
	for _, v := range variants {
		image, err := i.variant(v)
		if err != nil {
			return nil, fmt.Errorf("create image for %s: %w", v.Arch, err)
		}
		subject, err := blobs.image(image)
		if err != nil {
			return nil, fmt.Errorf("create image for %s: %w", v.Arch, err)
		}
		referrer, err := i.parts(blobs, subject, v)
		if err != nil {
			return nil, err
		}
		top.Manifests = append(top.Manifests, referrer)
		subject.Platform = &v1.Platform{OS: "linux", Architecture: v.Arch}
		index.Manifests = append(index.Manifests, subject)
	}
	raw, err := json.Marshal(index)
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	d := blobs.add(raw, types.OCIImageIndex)
	d.Annotations = map[string]string{"org.opencontainers.image.ref.name": i.Version}
	top.Manifests = append([]v1.Descriptor{d}, top.Manifests...)
	return archive(top, blobs, i.Time)
}

// variant builds the image of one architecture.
func (i Image) variant(v Variant) (v1.Image, error) {
	at := v1.Time{Time: i.Time.UTC()}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.ConfigFile(image, &v1.ConfigFile{
		Architecture: v.Arch, OS: "linux", Created: at, RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{
			User: fmt.Sprintf("%d:%d", User, User), WorkingDir: "/" + Data, Entrypoint: i.Entrypoint, Cmd: i.Command,
			Env: i.Environment, Labels: i.labels(),
			ExposedPorts: map[string]struct{}{"8080/tcp": {}, "9090/tcp": {}}, StopSignal: "SIGTERM",
		},
	})
	if err != nil {
		return nil, err
	}
	for _, l := range v.Layers {
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(l.Packed)), nil
		}, tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return nil, fmt.Errorf("create layer: %w", err)
		}
		image, err = mutate.Append(image, mutate.Addendum{Layer: layer, MediaType: types.OCILayer,
			History: v1.History{Created: at, CreatedBy: "tools/release", Comment: l.What}})
		if err != nil {
			return nil, fmt.Errorf("add layer: %w", err)
		}
	}
	return image, nil
}

// parts adds the list of parts as an artifact that refers to the image.
func (i Image) parts(b blobs, subject v1.Descriptor, v Variant) (v1.Descriptor, error) {
	config := b.add([]byte("{}"), emptyType)
	list := b.add(v.Parts, PartsType)
	raw, err := json.Marshal(v1.Manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1, ArtifactType: PartsType, Config: config,
		Layers: []v1.Descriptor{list}, Subject: &subject,
		Annotations: map[string]string{"org.opencontainers.image.created": i.Time.UTC().Format(time.RFC3339)},
	})
	if err != nil {
		return v1.Descriptor{}, fmt.Errorf("write referrer: %w", err)
	}
	d := b.add(raw, types.OCIManifestSchema1)
	d.ArtifactType = PartsType
	return d, nil
}

const emptyType = "application/vnd.oci.empty.v1+json"
