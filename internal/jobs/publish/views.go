package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// viewLife is how long updates continue to build a view that no reader requests.
const viewLife = 30 * 24 * time.Hour

// views returns the additional views to build, which are the views that readers requested. Views that the site's groups
// do not tell apart are built only once.
func (r *run) views(ctx context.Context, p project.Project, groups []string) ([]reader.View, error) {
	asked, err := r.Store.ListViews(ctx, p.ID, r.Now().Add(-viewLife))
	if err != nil {
		return nil, err
	}
	return within(asked, groups), nil
}

// within reduces views to those that a site's groups tell apart, and leaves out the view of readers without groups.
func within(asked []reader.View, groups []string) (out []reader.View) {
	byKey := map[string]reader.View{}
	for _, v := range asked {
		if v = v.Within(groups); !v.IsZero() {
			byKey[v.Key()] = v
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		out = append(out, byKey[key])
	}
	return out
}

// buildViews builds and stores the other views of the site; main is the site's manifest. All of them must exist
// before readers get the new version, so that group members do not temporarily lose pages.
func (r *run) buildViews(
	ctx context.Context, p project.Project, src *snapshot.Source, opt build.Options, suffix string, main deploy.Manifest, live known,
) (out []deploy.View, err error) {
	views, err := r.views(ctx, p, main.Groups)
	if err != nil {
		return nil, err
	}
	if len(views) == 0 {
		return nil, nil
	}
	have := live.with(main)
	for i, v := range views {
		r.logLine(fmt.Sprintf("Building the site for %s.", v))
		own := opt
		own.View = v
		if v.Anonymous {
			own.Offers, own.MCP = withoutServer(opt.Offers), ""
		}
		suffix := fmt.Sprintf("%s-view%d", suffix, i+1)
		report, m, err := r.buildView(ctx, p, src, own, suffix, have, nil)
		if err != nil {
			return nil, err
		}
		if report.Pages == 0 && !report.Broken {
			r.logLine("There is no page for them.")
			out = append(out, deploy.View{View: v.Key()}) // so that it is not requested again
			continue
		}
		if err := verdict(report); err != nil {
			r.d.Diagnostics = append(r.d.Diagnostics, report.Diagnostics...)
			return nil, err
		}
		have = have.with(m)
		if !v.Anonymous { // some of the pages that readers without groups see are not visible in this view
			r.addChanges(&m)
		}
		key, err := r.storeManifest(ctx, m, suffix)
		if err != nil {
			return nil, err
		}
		out = append(out, deploy.View{View: v.Key(), Manifest: key})
	}
	return out, nil
}

// withoutServer returns the features offered to readers who are not signed in: the server sends them only pages and
// files, so buttons that need more would fail.
func withoutServer(o capability.Offers) capability.Offers {
	o.Assistant.On = o.Assistant.On && o.Assistant.InBrowser
	o.Analytics = capability.Analytics{}
	o.Playground.Proxy = capability.NoProxy
	return o
}

// buildView builds the site for the view in opt and stores its files in packs with their own names. Known contents
// are not stored again. from is the state to compare it with; nil = none.
func (r *run) buildView(
	ctx context.Context, p project.Project, src *snapshot.Source, opt build.Options, suffix string, known known, from *base,
) (report *build.Report, m deploy.Manifest, err error) {
	packs := newPacker(ctx, r.Blob, p.ID, fmt.Sprintf("%s-%d%s", r.d.ID, r.h.Fence, suffix))
	files := startFiles(ctx, packs, known)
	files.versioned = strings.HasSuffix(opt.BasePath, "/"+deploy.VersionSegment)
	defer func() { files.abandon(); r.made = append(r.made, packs.own()...) }()
	opt, out := from.into(opt, files)
	report, buildErr := buildSource(ctx, src, opt, out)
	paths, keys, err := files.wait(errors.Join(buildErr, r.last.err))
	if err != nil {
		return nil, m, err
	}
	return report, deploy.Manifest{Name: report.Name, Origin: opt.BaseURL, Base: opt.BasePath, Commit: opt.Commit, Packs: keys, Files: paths,
		Redirects: Rules(report.Redirects), TrailingSlash: report.TrailingSlash,
		Integrations: r.tools(report.Integrations), View: opt.View.Key(),
		Notes: r.notes(src.FS), Pages: pages(report.Written), Source: origins(p), Copies: sums(report.Copies)}, nil
}

// storeManifest stores a manifest under a name that belongs to this attempt alone.
func (r *run) storeManifest(ctx context.Context, m deploy.Manifest, suffix string) (key string, err error) {
	raw, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("encode manifest: %w", err)
	}
	key = path.Join("sites", r.d.ProjectID, "manifests", fmt.Sprintf("%s-%d%s.json", r.d.ID, r.h.Fence, suffix))
	r.made = append(r.made, key)
	if _, err := r.Blob.Put(ctx, key, bytes.NewReader(raw)); err != nil {
		return "", fmt.Errorf("store manifest: %w", err)
	}
	return key, nil
}
