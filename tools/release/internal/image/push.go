package image

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Push pushes a layout to a registry: all architectures under the tag, then the lists of parts that refer to them. It
// returns the digest, which is a permanent reference to the image.
func (r *Read) Push(ctx context.Context, reference string, login authn.Authenticator) (string, error) {
	tag, err := name.NewTag(reference, name.StrictValidation)
	if err != nil {
		return "", fmt.Errorf("push image: %w", err)
	}
	p, err := remote.NewPusher(remote.WithAuth(login), remote.WithContext(ctx))
	if err != nil {
		return "", fmt.Errorf("push image: %w", err)
	}
	// Push blobs first, then manifests, then their referrers: a registry rejects any other order.
	var manifests, after []v1.Descriptor
	for _, d := range r.order {
		switch {
		case d.ArtifactType != "":
			after = append(after, d)
		case d.MediaType == types.OCIImageIndex: // after its images, by tag
		case d.MediaType == types.OCIManifestSchema1:
			manifests = append(manifests, d)
		default:
			if err := p.Upload(ctx, tag.Repository, static.NewLayer(r.blobs[d.Digest], d.MediaType)); err != nil {
				return "", fmt.Errorf("push blob: %w", err)
			}
		}
	}
	for _, d := range append(manifests, after...) {
		if err := p.Push(ctx, tag.Repository.Digest(d.Digest.String()),
			raw{r.blobs[d.Digest], d.MediaType}); err != nil {
			return "", fmt.Errorf("push manifest: %w", err)
		}
	}
	if err := p.Push(ctx, tag, raw{r.blobs[r.Index.Digest], r.Index.MediaType}); err != nil {
		return "", fmt.Errorf("push tag: %w", err)
	}
	return r.Index.Digest.String(), nil
}

// raw is an unparsed manifest.
type raw struct {
	body []byte
	kind types.MediaType
}

func (r raw) RawManifest() ([]byte, error)        { return r.body, nil }
func (r raw) MediaType() (types.MediaType, error) { return r.kind, nil }
