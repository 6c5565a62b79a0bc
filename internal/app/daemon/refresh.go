package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// refreshPage is the number of projects read at once.
const refreshPage = 200

// refresh rebuilds live sites that were built with features other than this server's: their pages have buttons for
// removed features, or lack buttons for new ones. It runs at every start, so the last process to start corrects what a
// process with older settings has built in between.
func (s *server) refresh(ctx context.Context) error {
	offers, after, sites := s.siteOffers().String(), "", 0
	for {
		list, err := s.Store.ListPublishedOtherwise(ctx, offers, after, refreshPage)
		if err != nil {
			return fmt.Errorf("publish sites again: %w", err)
		}
		for _, p := range list {
			after = p.ID
			switch err := s.again(ctx, p, deploy.Features); {
			case err == nil:
				sites++
			case !errors.Is(err, errOnItsWay) && !fault.Is(err, fault.NotFound): // not found: it was deleted a moment ago
				return fmt.Errorf("publish sites again: %w", err)
			}
		}
		if len(list) < refreshPage {
			break
		}
	}
	if sites > 0 {
		s.Logger.Info("features changed, rebuilding published sites", "sites", sites)
	}
	return nil
}

// refreshOrLater runs refresh. If that fails, watchStorage tries again. It starts over then, but skips sites that are
// being published.
func (s *server) refreshOrLater(ctx context.Context) {
	const name = "sites with other features"
	err := s.orLater(ctx, name, s.refresh)
	if err != nil && ctx.Err() == nil {
		s.Logger.Error("startup step failed, will retry", "part", name, "error", err)
		s.later = append(s.later, postponedStep{name, s.refresh})
	}
}

// errOnItsWay means that a newer state of the site is being published, and the live one must not overtake it.
var errOnItsWay = errors.New("the site is being published")

// again publishes the live state again; trigger is the reason.
func (s *server) again(ctx context.Context, p project.Project, trigger string) error {
	return s.Store.Tx(ctx, func(t *store.Tx) error {
		d, err := t.QueueDeployment(ctx, p, deploy.Production, "", trigger)
		if err != nil {
			return err
		}
		if others, err := t.CountUnended(ctx, p.ID, d.ID); err != nil || others > 0 {
			return errors.Join(err, errOnItsWay) // rolls back the transaction
		}
		return t.Record(ctx, event.New(p.OrganizationID, "system", "deployment.start", d.ID, "", s.Now(),
			map[string]string{"trigger": trigger, "project": p.ID}))
	})
}
