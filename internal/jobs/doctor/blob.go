package doctor

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Blobs checks the storage of sites and bundles.
type Blobs struct {
	Store blob.Store
	Place string // name of the storage, for people
	Probe string // key of an object that nothing else uses
	// Links follows links to objects. It is nil if the server itself serves links, because it may not be running.
	Links *http.Client
	// Named lists the objects that the database refers to and that must exist. It may be nil.
	Named func(ctx context.Context) ([]string, error)
}

const adviceBlob = "Check the bucket, its endpoint and region, and that the key can put, get, list and delete objects."

// Look stores a test object, reads it, follows a link to it and removes it.
func (b Blobs) Look(ctx context.Context) (found []Finding) {
	body := []byte("lectern doctor\n")
	defer func() {
		if err := b.Store.Delete(context.WithoutCancel(ctx), b.Probe); err != nil {
			found = append(found, FromError(err, adviceBlob, "The test object could not be removed from %s", b.Place))
		}
	}()
	if _, err := b.Store.Put(ctx, b.Probe, bytes.NewReader(body)); err != nil {
		return []Finding{FromError(err, adviceBlob, "Nothing can be stored in %s", b.Place)}
	}
	r, _, err := b.Store.Open(ctx, b.Probe)
	if err != nil {
		return []Finding{FromError(err, adviceBlob, "The test object in %s cannot be read", b.Place)}
	}
	got, err := io.ReadAll(io.LimitReader(r, 1<<10))
	_ = r.Close()
	if err != nil || !bytes.Equal(got, body) {
		return []Finding{failure(adviceBlob, "The test object read from %s differs from what was stored (%v).", b.Place,
			err)}
	}
	if b.Links != nil {
		if err := b.follow(ctx, body); err != nil {
			return []Finding{FromError(err,
				"Clients that download bundles must be able to reach the endpoint, and this machine's clock must be right.", "A signed link to %s does not work", b.Place)}
		}
	}
	return []Finding{fine("A test object was stored in %s, read and removed.", b.Place)}
}

func (b Blobs) follow(ctx context.Context, body []byte) error {
	link, err := b.Store.Link(ctx, b.Probe, "probe", time.Minute)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link.URL, nil)
	if err != nil {
		return fmt.Errorf("the link is not a URL")
	}
	res, err := b.Links.Do(req)
	if err != nil {
		return fmt.Errorf("no response") // the original error contains the link, which is a secret
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if err != nil || res.StatusCode != http.StatusOK || !bytes.Equal(got, body) {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// LookDeep checks that every object the database refers to is stored. Use it after a restore or after disk errors.
func (b Blobs) LookDeep(ctx context.Context) []Finding {
	named, err := b.Named(ctx)
	if err != nil {
		return []Finding{FromError(err, "Restore the missing objects from a copy of the bucket.",
			"The objects that the database refers to cannot be listed")}
	}
	missing := map[string]bool{}
	for _, key := range named {
		missing[key] = true
	}
	if err := b.Store.List(ctx, "", func(i blob.Info) error { delete(missing, i.Key); return nil }); err != nil {
		return []Finding{FromError(err, adviceBlob, "%s cannot be listed", b.Place)}
	}
	for key := range missing {
		return []Finding{failure("Restore the missing objects from a copy of the bucket or a backup, or publish again.",
			"%d of %d objects that the database refers to are missing from %s, such as %s.", len(missing), len(named),
			b.Place, key)}
	}
	return []Finding{fine("All %d objects that the database refers to are in %s.", len(named), b.Place)}
}

// Named lists the objects that a database and its manifests refer to.
func Named(st *store.Store,
	packs func(ctx context.Context, manifest string) ([]string, error)) func(ctx context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		stored, err := st.ListStored(ctx)
		if err != nil {
			return nil, err
		}
		all := append(stored.Others, stored.Manifests...)
		for _, key := range stored.Manifests {
			more, err := packs(ctx, key)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			all = append(all, more...)
		}
		return all, nil
	}
}
