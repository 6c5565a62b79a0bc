package daemon

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	askTime = 30 * time.Second // how long storing a view may take
	// askPause is how long no further update is tried after one for a view failed.
	askPause = time.Hour
)

// askViews returns what stores the views that readers ask for and has them built. It does not block.
func (s *server) askViews(ctx context.Context) func(sitehost.Site, reader.View, bool) {
	return func(site sitehost.Site, v reader.View, built bool) {
		go func() {
			ctx, cancel := context.WithTimeout(ctx, askTime)
			defer cancel()
			if err := s.askView(ctx, site.ProjectID, v, built); err != nil && ctx.Err() == nil {
				s.Logger.Warn("cannot have a view of a site built, will retry when readers ask again",
					"project", site.ProjectID, "view", v.Key(), "error", err)
			}
		}()
	}
}

// askView stores that readers want a view, and publishes the live site again with it unless it is built. An update that is under way may
// build it; readers ask again if not.
func (s *server) askView(ctx context.Context, projectID string, v reader.View, built bool) error {
	err := s.Store.Tx(ctx, func(t *store.Tx) error { return t.AskView(ctx, projectID, v) })
	if err != nil || built {
		return err
	}
	p, err := s.Store.FindProjectByID(ctx, projectID)
	if err != nil {
		return err
	}
	last, _, err := s.Store.ListDeployments(ctx, p.OrganizationID, p.ID, deploy.Production, store.Page{Limit: 1})
	if err != nil {
		return err
	}
	if len(last) > 0 && last[0].Trigger == deploy.Views && last[0].Status == deploy.Failure && last[0].EndedAt != nil &&
		s.Now().Sub(*last[0].EndedAt) < askPause {
		return nil
	}
	if err := s.again(ctx, p, deploy.Views); !errors.Is(err, errOnItsWay) && !fault.Is(err, fault.NotFound) {
		return err
	}
	return nil
}
