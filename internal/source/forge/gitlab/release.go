package gitlab

import (
	"context"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ pull.Releases = (*Host)(nil)

// Release implements pull.Releases.
func (h *Host) Release(ctx context.Context, tag string) (pull.Release, error) {
	var r struct {
		TagName     string `json:"tag_name"`
		Name        string
		Description string
	}
	err := h.api.Release(ctx, h.project+"/releases"+rest.Escape(tag), h.project, tag, &r, func() string { return r.TagName })
	if err != nil {
		return pull.Release{}, err
	}
	return pull.Release{Title: r.Name, Notes: r.Description}, nil
}
