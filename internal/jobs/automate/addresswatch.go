package automate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	sitesAside = 4               // sites whose addresses are fetched in parallel
	siteLife   = 5 * time.Minute // timeout for one site's addresses
)

// Look fetches the remote API descriptions that live sites were built with, and runs the automations of each site whose
// descriptions have changed since. Sites that fail are logged and retried by the next call.
func (d *Descriptions) Look(ctx context.Context) error {
	if d.Fetch == nil {
		return nil
	}
	list, err := d.Store.ListAutomationsUpToDate(ctx, automation.OnAPI)
	if err != nil {
		return err
	}
	sites := make(chan []automation.Automation)
	var workers sync.WaitGroup
	for range min(sitesAside, len(list)) {
		workers.Go(func() {
			for of := range sites {
				if err := d.lookAtSite(ctx, of); err != nil && ctx.Err() == nil {
					d.Logger.WarnContext(ctx, "failed to check remote API descriptions, will retry", "project", of[0].ProjectID, "error", err)
				}
			}
		})
	}
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(a automation.Automation) bool { return a.ProjectID != list[0].ProjectID })
		if n < 0 {
			n = len(list)
		}
		sites <- list[:n]
		list = list[n:]
	}
	close(sites)
	workers.Wait()
	return ctx.Err()
}

// lookAtSite checks the remote API descriptions of one site. All automations in list must have examined its live
// deployment.
func (d *Descriptions) lookAtSite(ctx context.Context, list []automation.Automation) error {
	ctx, cancel := context.WithTimeout(ctx, siteLife)
	defer cancel()
	_, live, err := d.publications(ctx, list[0])
	if err != nil || live.ID != list[0].Seen {
		return err
	}
	copies, err := d.Copies(ctx, live)
	if err != nil {
		return err
	}
	found, failed := d.fetchChanged(ctx, live, copies)
	errs := []error{failed}
	for _, a := range list {
		errs = append(errs, d.reportAddresses(ctx, a, live, copies, found))
	}
	return errors.Join(errs...)
}

// fetchChanged fetches remote descriptions and compares each one that differs from the live site's copy. Unchanged
// descriptions get a nil entry. Addresses that cannot be fetched get no entry and are reported in the error. The live
// site's source, which may be large, is opened only if a description differs.
func (d *Descriptions) fetchChanged(ctx context.Context, live deploy.Deployment, copies map[string]string) (
	map[string]*addressChange, error) {
	var errs []error
	found, changed := map[string]*addressChange{}, map[string][]byte{}
	addresses := slices.Sorted(maps.Keys(copies))
	for _, address := range addresses[:min(len(addresses), maxDescriptions)] {
		data, err := d.Fetch(ctx, address)
		sum := sha256.Sum256(data)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("fetch %s: %w", address, err))
		case hex.EncodeToString(sum[:]) == copies[address]:
			found[address] = nil
		default:
			changed[address] = data
		}
	}
	if len(changed) == 0 {
		return found, errors.Join(errs...)
	}
	src, err := d.openStored(ctx, live)
	if err != nil {
		return found, errors.Join(append(errs, err)...)
	}
	defer src.close()
	for address, data := range changed {
		if old, ok := src.copies[address]; ok { // missing if an earlier release of Lectern stored the source
			change := readAddress(ctx, address, old.Data, data)
			found[address] = &change
		}
	}
	return found, errors.Join(errs...)
}

// reportAddresses runs an automation if there are differences that it has not reported yet.
func (d *Descriptions) reportAddresses(ctx context.Context, a automation.Automation, live deploy.Deployment,
	copies map[string]string, found map[string]*addressChange) error {
	var c apiComparison
	noticed := map[string]string{}
	for _, address := range slices.Sorted(maps.Keys(copies)) {
		change, fetched := found[address]
		switch before, had := a.Noticed[address]; {
		case !fetched && had:
			noticed[address] = before
		case change != nil:
			if noticed[address] = change.digest(); noticed[address] != before {
				change.addTo(&c)
			}
		}
	}
	if maps.Equal(noticed, a.Noticed) {
		return nil
	}
	var ask Request
	if c.any() {
		ask = c.request(Request{Cause: automation.ByAPI, Why: "A description at an address differs from that of the live site."},
			"from those of publication "+live.ID+" to those at their addresses now")
	}
	return d.examined(ctx, a, ask, func(tx *store.Tx) error { return tx.NoticeDescriptions(ctx, a.ID, noticed) })
}
