package adminapi

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// Libraries returns the content of a published site that is visible in a reader's view, for use by programs.
// manifestKey identifies the published version.
type Libraries func(ctx context.Context, projectID, manifestKey string, v reader.View) (*sitereader.Library, error)

// discoveryAnHour is the number of discovery requests per hour for an organization.
const discoveryAnHour = 10_000

const (
	defaultPageSize = 10
	maxPageSize     = sitereader.MaxHits
)

// filterJSON narrows a search. Groups are the reader's groups: content that is hidden from them is not searched.
type filterJSON struct {
	Version  string   `json:"version"`
	Language string   `json:"language"`
	Tag      string   `json:"tag"`
	Groups   []string `json:"groups"`
}

func (a *api) searchSite(c *call) (response, error) {
	var in struct {
		Query          string      `json:"query" required:"true"`
		PageSize       *int        `json:"pageSize"`
		ScoreThreshold *float64    `json:"scoreThreshold"`
		Filter         *filterJSON `json:"filter"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	q := sitereader.Query{Text: in.Query, Limit: defaultPageSize}
	if in.PageSize != nil {
		if q.Limit = *in.PageSize; q.Limit < 1 || q.Limit > maxPageSize {
			return response{}, fault.Newf(fault.Invalid, "invalid_field",
				"pageSize must be an integer between 1 and %d.", maxPageSize).WithField("pageSize")
		}
	}
	if in.ScoreThreshold != nil {
		if q.MinScore = *in.ScoreThreshold; q.MinScore < 0 || q.MinScore > 1 {
			return response{}, fault.New(fault.Invalid, "invalid_field",
				"scoreThreshold must be a number between 0 and 1.").WithField("scoreThreshold")
		}
	}
	var groups []string
	if in.Filter != nil {
		q.Version, q.Language, q.Tag = in.Filter.Version, in.Filter.Language, in.Filter.Tag
		groups = in.Filter.Groups
	}
	l, origin, err := a.discover(c, "filter.groups", groups)
	if err != nil {
		return response{}, err
	}
	hits, err := l.Search(c.ctx(), q)
	if err != nil {
		return response{}, err
	}
	out := []client.SearchHit{}
	for _, h := range hits {
		at := url.URL{Path: sitereader.Address(h.Path), Fragment: h.Anchor}
		out = append(out, client.SearchHit{Content: h.Text, Path: h.Path, Metadata: client.SearchHitMetadata{
			Title: h.Title, Heading: orNull(h.Heading), Anchor: orNull(h.Anchor), Crumbs: orEmpty(h.Crumbs),
			URL: origin + at.String(), Score: h.Score,
		}})
	}
	return response{status: http.StatusOK, body: out}, nil
}

func (a *api) readSitePage(c *call) (response, error) {
	var in struct {
		Path   string   `json:"path" required:"true"`
		Groups []string `json:"groups"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	l, _, err := a.discover(c, "groups", in.Groups)
	if err != nil {
		return response{}, err
	}
	p, err := l.Page(c.ctx(), in.Path)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: client.SitePage{Path: p.Path, Content: p.Content}}, nil
}

// discover returns the content of the site on the domain in the path, as readers in groups see it. Another
// organization's domain is reported as unknown, like a domain that does not exist.
func (a *api) discover(c *call, field string, groups []string) (l *sitereader.Library, origin string, err error) {
	if f := a.Deployment.Features.Search; !f.Enabled {
		return nil, "", fault.New(fault.Forbidden, "feature_unavailable", "Search is turned off on this server.").
			WithHint(f.Reason)
	}
	_, l, origin, err = a.findSite(c, field, groups)
	return l, origin, err
}

// findSite counts a request and finds the live site on the domain in the path, with the content that readers in groups
// see. field is the name of the request field that contains the groups.
func (a *api) findSite(c *call, field string, groups []string) (
	p project.Project, l *sitereader.Library, origin string, err error,
) {
	if groups, err = export.CleanGroups(groups); err != nil {
		if f, ok := fault.As(err); ok {
			err = f.WithField(field)
		}
		return p, nil, "", err
	}
	limitHeader := http.Header{} // the response headers describe the key's own limit unless this one is exceeded
	if err := a.discovery.Take(c.ctx(), c.org(), limitHeader); err != nil {
		maps.Copy(c.w.Header(), limitHeader)
		return p, nil, "", err
	}
	unknown := fault.New(fault.NotFound, "unknown_domain", "The organization has no site on this domain.").
		WithField("domain").WithHint("GET /v1/projects lists the organization's sites and their domains.")
	domain, err := project.CleanDomain(c.r.PathValue("domain"))
	if err != nil {
		return p, nil, "", unknown
	}
	p, err = a.Store.FindProjectByDomain(c.ctx(), domain)
	if fault.Is(err, fault.NotFound) || err == nil && p.OrganizationID != c.org() {
		return p, nil, "", unknown
	}
	if err != nil {
		return p, nil, "", err
	}
	live, err := a.Store.FindLive(c.ctx(), domain)
	if err != nil {
		return p, nil, "", err
	}
	if live.ManifestKey == "" {
		return p, nil, "", fault.New(fault.Conflict, "site_not_published", "This site has not been published yet.").
			WithHint("Try again when its first update has finished.")
	}
	l, err = a.Libraries(c.ctx(), p.ID, live.ManifestKey, reader.New(groups...))
	return p, l, a.SiteURL(domain), err
}
