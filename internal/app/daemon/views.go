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
	askTime = 30 * time.Second // timeout for storing a view
	// askPause is the pause after a failed update for a view.
	askPause = time.Hour
)

// askViews returns a function that stores the views requested by readers and builds them. It does not block.
func (s *server) askViews(ctx context.Context) func(sitehost.Site, reader.View, bool) {
	return func(site sitehost.Site, v reader.View, built bool) {
		go func() {
			ctx, cancel := context.WithTimeout(ctx, askTime)
			defer cancel()
			if err := s.askView(ctx, site.ProjectID, v, built); err != nil && ctx.Err() == nil {
				s.Logger.Warn("failed to build view of site, will retry when readers request it again",
					"project", site.ProjectID, "view", v.Key(), "error", err)
			}
		}()
	}
}

// askView records that readers request a view, and publishes the live site again with it unless it is built. An update
// in progress may already build the view; if it does not, readers request the view again.
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
