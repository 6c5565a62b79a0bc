package automate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// Watcher looks for new commits and tags in product repositories, and runs the automations that they trigger.
type Watcher struct {
	*Starter
	Git    *git.Cache
	Remote func(ctx context.Context, p project.Product) (git.Remote, error)
	// Releases returns the releases of a product repository's code host; nil = the notes of releases are not read
	Releases func(ctx context.Context, p project.Product) (pull.Releases, error)
	Every    time.Duration // interval between checks of a repository; one with a reported change is checked at once
}

const (
	productsAtOnce = 20               // repositories checked per call
	productsAside  = 4                // checked in parallel, so that a slow host does not delay the others
	askLife        = 30 * time.Second // timeout for finding the newest commit
	lookLife       = 10 * time.Minute // timeout for the rest of the check, which may fetch a large repository
	maxPatch       = 48 << 10         // bytes of a patch given to an agent
)

// Look checks the product repositories that are due. It logs the repositories that failed and the ones that it could
// not check before ctx ended; all of them are checked again soon.
func (w *Watcher) Look(ctx context.Context) error {
	due, err := w.Store.TakeDueProducts(ctx, w.Now().Add(-w.Every), productsAtOnce)
	if err != nil {
		return err
	}
	queue := make(chan project.Product)
	var workers sync.WaitGroup
	for range min(productsAside, len(due)) {
		workers.Go(func() {
			for p := range queue {
				if err := w.ask(ctx, p); err != nil && ctx.Err() == nil {
					w.Logger.WarnContext(ctx, "failed to check product repository", "project", p.ProjectID, "repository", p.ID, "error", err)
				}
			}
		})
	}
	for _, p := range due {
		queue <- p
	}
	close(queue)
	workers.Wait()
	return ctx.Err()
}

func (w *Watcher) ask(ctx context.Context, p project.Product) error {
	ctx, cancel := context.WithTimeout(ctx, lookLife)
	defer cancel()
	if err := w.look(ctx, p); err != nil {
		return err
	}
	return w.Store.CheckedProduct(ctx, p.ID)
}

func (w *Watcher) look(ctx context.Context, p project.Product) error {
	remote, err := w.Remote(ctx, p)
	if err != nil {
		return err
	}
	all, err := w.Store.ListAutomations(ctx, p.OrganizationID, p.ProjectID)
	if err != nil {
		return err
	}
	// Tags are handled first: once the commit is recorded, other code assumes that tags seen later are new.
	return errors.Join(w.lookAtTags(ctx, p, remote, waiting(all, automation.OnRelease)),
		w.lookAtCommits(ctx, p, remote, waiting(all, automation.OnPush), waiting(all, automation.OnAPI)))
}

// lookAtCommits runs the automations triggered by pushes or API changes.
func (w *Watcher) lookAtCommits(ctx context.Context, p project.Product, remote git.Remote, push,
	api []automation.Automation) error {
	head, err := w.head(ctx, remote)
	if err != nil || head == p.Seen {
		return err
	}
	var list []start
	if p.Seen != "" {
		if err := w.checkReceipts(ctx, p, remote, head); err != nil {
			return err
		}
		if len(push) > 0 {
			given, err := w.patch(ctx, p, remote, head)
			if err != nil {
				return err
			}
			list = startsOf(push, Request{Cause: automation.ByPush, Given: given,
				Why: fmt.Sprintf("Push to the product repository %s: commit %.12s.", p.Name, head)})
		}
		if len(api) > 0 {
			ask, touched, err := w.compareAPI(ctx, p, remote, head)
			if err != nil {
				return err
			}
			if touched {
				list = append(list, startsOf(api, ask)...)
			}
		}
	}
	return w.run(ctx, p, func(tx *store.Tx) (bool, error) { return tx.SeeProduct(ctx, p, head) }, list)
}

func (w *Watcher) head(ctx context.Context, remote git.Remote) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askLife)
	defer cancel()
	return w.Git.Head(ctx, remote)
}

// waiting returns the enabled automations with the given trigger.
func waiting(all []automation.Automation, trigger automation.Trigger) (out []automation.Automation) {
	for _, a := range all {
		if a.Trigger == trigger && a.Enabled {
			out = append(out, a)
		}
	}
	return out
}

// patch returns the changes since the last seen commit, for an agent. If that commit is gone, for example after a
// force push, it says so instead.
func (w *Watcher) patch(ctx context.Context, p project.Product, remote git.Remote, head string) (string, error) {
	text, more, err := w.Git.Diff(ctx, remote, p.Seen, head, maxPatch)
	if fault.HasCode(err, "commit_not_found") {
		_, _, err = w.Git.List(ctx, remote, head, "") // head itself may be the missing commit
		return fmt.Sprintf("The history of the product repository %s was rewritten: the last commit seen, %s, is gone, so "+
			"there is no patch. The newest commit is %s.\n", p.Name, p.Seen, head), err
	}
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("Changes of the product repository %s from commit %s to %s:\n\n%s", p.Name, p.Seen, head, text)
	if more {
		out += "… the rest is left out\n"
	}
	return out, nil
}

// start is an automation to run, and why.
type start struct {
	automation automation.Automation
	ask        Request
}

func startsOf(list []automation.Automation, ask Request) (out []start) {
	for _, a := range list {
		out = append(out, start{a, ask})
	}
	return out
}

// run calls note to record what was seen and starts the automations triggered by it, in one transaction, so each push
// and each tag starts an automation only once. fresh is false if another process has recorded something else in the
// meantime.
func (w *Watcher) run(ctx context.Context, p project.Product, note func(*store.Tx) (fresh bool, err error),
	list []start) error {
	ready, err := w.Prepare(ctx, p.OrganizationID)
	if err != nil {
		return err
	}
	return w.Store.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.HoldOrganization(ctx, p.OrganizationID); err != nil {
			return err
		}
		fresh, err := note(tx)
		if err != nil || !fresh {
			return err
		}
		var errs []error
		for _, one := range list {
			a, err := tx.FindAutomation(ctx, p.OrganizationID, p.ProjectID, one.automation.ID)
			if err == nil {
				_, err = ready.Start(ctx, tx, a, one.ask)
			}
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}
