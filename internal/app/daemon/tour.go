package daemon

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/tour"
)

const tourDomain = "tour.localhost"

// tourProject creates a second project for trying agents. Its source is a repository on this server's own disk, so a
// server that shares its database with others does not get this project.
func tourProject(ctx context.Context, t *store.Tx, opt Options, org account.Organization) error {
	if store.IsPostgres(opt.Config.Database) {
		return nil
	}
	p, err := t.CreateProject(ctx, project.Project{OrganizationID: org.ID, Name: "Tour", Domains: []string{tourDomain},
		Source: project.Source{Repository: project.Own}})
	if err != nil {
		return err
	}
	return t.Record(ctx, event.New(org.ID, operator, "project.create", p.ID, "", opt.Now(),
		map[string]string{"name": p.Name, "domain": tourDomain}))
}

// seedTour fills the tour's repository and publishes it, unless that was already done, or the project was deleted.
func (s *server) seedTour(ctx context.Context) error {
	p, err := s.Store.FindProjectByDomain(ctx, tourDomain)
	if fault.Is(err, fault.NotFound) || err == nil && p.Source.Repository != project.Own {
		return nil
	}
	if err != nil {
		return fmt.Errorf("seed tour: %w", err)
	}
	if _, err := s.Store.FindLastDeployment(ctx, p.ID); !fault.Is(err, fault.NotFound) {
		return err
	}
	err = s.agents.home.Seed(ctx, p.ID, tour.Site())
	if fault.HasCode(err, "git_missing") {
		s.Logger.Warn("no git program found, leaving the tour site empty")
		return nil
	}
	if err != nil {
		return fmt.Errorf("seed tour: %w", err)
	}
	return s.Store.Tx(ctx, func(t *store.Tx) error {
		_, err := t.QueueDeployment(ctx, p, deploy.Production, "", "start")
		return err
	})
}
