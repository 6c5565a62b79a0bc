package project

import (
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Product is an additional repository of a project that agents may read. It contains the code that the documentation
// describes. The server never writes to it.
type Product struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Name           string // unique in its project; used by agents and people
	Source         Source // a repository
	Seen           string // newest commit that automations have seen; "" = none yet
	CreatedBy      string // key or member
	CreatedAt      time.Time
}

// MaxProducts limits the product repositories of a project.
const MaxProducts = 10

var productName = lazyregexp.New(`^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$`)

// CleanProductName validates the name of a product repository.
func CleanProductName(name string) (string, error) {
	if !productName.MatchString(name) {
		return "", fault.New(fault.Invalid, "invalid_field",
			"name must have 1 to 50 lower-case letters, digits and hyphens, such as server.").WithField("name")
	}
	return name, nil
}

// AsProject returns a project with the repository as its source, for functions that fetch a project's source.
func (p Product) AsProject() Project {
	return Project{ID: p.ProjectID, OrganizationID: p.OrganizationID, Source: p.Source}
}

// Is reports whether a source is the repository with the given full name (owner/name) on a code host.
func (s Source) Is(fullName string) bool {
	at := s.Repository
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Path
	} else if _, path, scp := strings.Cut(at, ":"); scp { // user@host:owner/name
		at = path
	}
	at = strings.TrimSuffix(strings.Trim(at, "/"), ".git")
	return fullName != "" && (strings.EqualFold(at, fullName) ||
		strings.HasSuffix(strings.ToLower(at), "/"+strings.ToLower(fullName)))
}

// UnknownProduct returns the fault for a product repository that the project does not have.
func UnknownProduct() error {
	return fault.New(fault.NotFound, "unknown_product_repository", "Product repository not found.")
}
