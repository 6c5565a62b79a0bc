package daemon

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/githost"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// gitHost serves the repositories of the embedded code host, read-only.
func (s *server) gitHost(proxies auth.Proxies, uses *auth.Uses) http.Handler {
	masters := append([][]byte{s.Secrets.Current}, s.Secrets.Previous...)
	return githost.New(githost.Options{
		Guard:    auth.New(auth.Options{Keys: s.Store, Masters: masters, Now: s.Now, Proxies: proxies, Uses: uses}),
		Rate:     auth.NewRate(s.Config.RateLimit, s.counter(), s.Now).Take,
		Projects: s.Store.FindProject, Open: s.openRepository, Logger: s.Logger,
	})
}

// openRepository returns a project's repository on the embedded code host. Repositories on code hosts or in other
// folders are not served.
func (s *server) openRepository(ctx context.Context, p project.Project, renew bool) (githost.Repository, error) {
	if _, elsewhere := git.LocalPath(p.Source.Repository); elsewhere || !p.Source.Embedded() {
		return nil, fault.New(fault.NotFound, "unknown_repository", "Repository not found.").
			WithHint("The project's repository is on a code host; clone it there.")
	}
	if renew {
		if _, err := s.agents.home.Prepare(ctx, p); err != nil {
			return nil, err
		}
	}
	return s.agents.home.Repo(ctx, p)
}
