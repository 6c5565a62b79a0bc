package githost

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// Guard identifies callers and checks permissions.
type Guard interface {
	Identify(r *http.Request) (store.Principal, error)
	Permit(p store.Principal, r *http.Request, need auth.Need) error
}

// Repository handles the requests of one clone.
type Repository interface {
	// Upload writes the output of git upload-pack: for the request in or, if advertise is set, the list of refs.
	Upload(ctx context.Context, protocol string, advertise bool, in io.Reader, out io.Writer) error
}

// Options configures the handler.
type Options struct {
	Guard Guard
	// counts a request, and returns an error if the limit is exceeded
	Rate     func(ctx context.Context, actor string, h http.Header) error
	Projects func(ctx context.Context, organizationID, projectID string) (project.Project, error)
	// Open returns the repository of a project if this server hosts it, otherwise a fault of kind NotFound. If renew is
	// set, it first updates the repository from the project's source.
	Open   func(ctx context.Context, p project.Project, renew bool) (Repository, error)
	Logger *slog.Logger
}

// host is the handler.
type host struct {
	Options
	work *slots
}

// New returns the handler for everything below project.GitFolder.
func New(o Options) http.Handler {
	return &host{Options: o, work: newSlots(maxAtOnce, maxPerOrganization)}
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'")
	if err := h.answer(w, r); err != nil {
		h.fail(w, r, err)
	}
}

// answer authenticates the caller before anything else, so that responses reveal nothing to strangers.
func (h *host) answer(w http.ResponseWriter, r *http.Request) error {
	who, err := h.admit(w, r)
	if err != nil {
		return err
	}
	organizationID, projectID, rest := split(r.URL.Path)
	if organizationID != who.Organization.ID || !id.Has(id.Project, projectID) {
		return unknown()
	}
	p, err := h.Projects(r.Context(), organizationID, projectID)
	if fault.Is(err, fault.NotFound) {
		return unknown()
	}
	if err != nil {
		return err
	}
	return h.route(w, r, p, rest)
}

// admit identifies the caller by the password or, without one, in the same way as the API.
func (h *host) admit(w http.ResponseWriter, r *http.Request) (store.Principal, error) {
	asked := r
	if _, password, ok := r.BasicAuth(); ok {
		asked = r.Clone(r.Context())
		asked.Header.Set("Authorization", "Bearer "+password)
	}
	who, err := h.Guard.Identify(asked)
	if err != nil {
		return who, err
	}
	if err := h.Rate(r.Context(), who.Actor(), w.Header()); err != nil {
		return who, err
	}
	return who, h.Guard.Permit(who, r, auth.Need{Scope: account.ScopeRead, Role: account.RoleViewer})
}

// split parses a path: /git/ORGANIZATION/PROJECT.git/REST.
func split(path string) (organizationID, projectID, rest string) {
	organizationID, path, _ = strings.Cut(strings.TrimPrefix(path, project.GitFolder), "/")
	name, rest, _ := strings.Cut(path, "/")
	projectID, ok := strings.CutSuffix(name, ".git")
	if !ok {
		return "", "", ""
	}
	return organizationID, projectID, rest
}

// unknown returns the error for missing repositories and for other organizations' repositories.
func unknown() error {
	return fault.New(fault.NotFound, "unknown_repository", "Repository not found.").
		WithHint("The password must be an API key of the organization that owns it.")
}
