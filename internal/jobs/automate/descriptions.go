package automate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
)

// Descriptions checks the API descriptions of published sites, in the docs folder and at URLs, for changes. It runs the
// automations that the changes trigger.
type Descriptions struct {
	*Starter
	Scratch *scratch.Space
	// Open opens the stored source of a deployment, using the empty folder dir
	Open func(ctx context.Context, key, dir string) (*snapshot.Source, error)
	// Copies returns digests of the remote API descriptions that a deployment was built with, by URL
	Copies func(ctx context.Context, d deploy.Deployment) (map[string]string, error)
	Fetch  openapi.Fetch // nil = addresses are only compared when the site is published
}

// Published compares the API descriptions of sites published since their automations last ran. Any number of processes
// may call it: each publication is handled only once.
func (d *Descriptions) Published(ctx context.Context) error {
	return d.eachBehind(ctx, automation.OnAPI, d.comparePublications)
}

func (d *Descriptions) comparePublications(ctx context.Context, a automation.Automation) error {
	before, now, err := d.publications(ctx, a)
	if err != nil || now.ID == "" {
		return err
	}
	var ask Request
	if a.Seen != "" {
		if ask, err = d.compare(ctx, a, before, now); err != nil {
			return err
		}
	}
	return d.examined(ctx, a, ask, func(tx *store.Tx) error { return tx.SeePublication(ctx, a.ID, now.ID) })
}

// compare returns a request that describes how the API descriptions of two publications differ. Its cause is empty if
// no description changed.
func (d *Descriptions) compare(ctx context.Context, a automation.Automation, before, now deploy.Deployment) (Request,
	error) {
	ask := Request{Cause: automation.ByAPI, Why: fmt.Sprintf("Publication %s.", now.ID)}
	var c apiComparison
	err := d.compareSources(ctx, &c, a, before, now)
	switch {
	case errors.Is(err, errUnstored):
		ask.Nothing = "Its API descriptions were not compared: its source, or that of the publication before it, is not stored " +
			"any more or cannot be read."
		return ask, nil
	case err != nil || !c.any():
		return Request{}, err
	}
	return c.request(ask, fmt.Sprintf("from publication %s (commit %.12s) to %s (commit %.12s)", before.ID, before.Commit,
		now.ID, now.Commit)), nil
}

func (d *Descriptions) compareSources(ctx context.Context, c *apiComparison, a automation.Automation, before,
	now deploy.Deployment) error {
	was, err := d.openStored(ctx, before)
	if err != nil {
		return err
	}
	defer was.close()
	is, err := d.openStored(ctx, now)
	if err != nil {
		return err
	}
	defer is.close()
	if err := compareFiles(ctx, c, was, is); err != nil || was.copies == nil || is.copies == nil {
		return err
	}
	for _, address := range slices.Sorted(maps.Keys(is.copies)) {
		old, had := was.copies[address]
		if c.full() || had && string(old.Data) == string(is.copies[address].Data) {
			continue
		}
		seen := readAddress(ctx, address, old.Data, is.copies[address].Data)
		if a.Noticed[address] != seen.digest() {
			seen.addTo(c)
		}
	}
	return ctx.Err()
}

// compareFiles compares the descriptions in two docs folders that changed or that refer to a changed file.
func compareFiles(ctx context.Context, c *apiComparison, was, is storedSource) error {
	names, err := was.descriptions(ctx)
	if err != nil {
		return err
	}
	more, err := is.descriptions(ctx)
	if err != nil {
		return err
	}
	names = append(names, more...)
	slices.Sort(names)
	for _, name := range candidates(slices.Compact(names)) {
		before, err := was.load(ctx, name)
		if err != nil {
			return err
		}
		after, err := is.load(ctx, name)
		if err != nil {
			return err
		}
		if maps.EqualFunc(before.read, after.read, sameText) {
			continue
		}
		if c.add(name, name+" of the docs folder", before, after); c.full() {
			break
		}
	}
	return nil
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
