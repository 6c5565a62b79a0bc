package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// EventsAfter returns an organization's events that match a filter and have a sequence number greater than after,
// oldest first.
func (r reads) EventsAfter(ctx context.Context, organizationID string, f EventFilter, after int64,
	limit int) ([]event.Event, error) {
	since, until := f.span()
	list, err := collect(ctx, r.q, scanEvent,
		`SELECT `+eventColumns+` FROM events WHERE organization_id = $1 AND sequence > $2 AND ($3 = '' OR actor = $3)
		AND ($4 = '' OR action = $4 OR action > $5 AND action < $6) AND ($7 = '' OR target = $7) AND at >= $8 `+
			`AND at < $9 ORDER BY sequence LIMIT $10`,
		organizationID, after, f.Actor, f.Action, f.Action+".", f.Action+"/", f.Target, since, until, limit)
	return list, wrap("list events", err)
}

// span returns the filter's time range in microseconds. since is inclusive, and until is exclusive.
func (f EventFilter) span() (since, until int64) {
	until = 1<<62 - 1
	if !f.Until.IsZero() {
		until = micros(f.Until)
	}
	if !f.Since.IsZero() {
		since = micros(f.Since)
	}
	return since, until
}

// namesAtOnce is the number of ids that FindNames passes to one query.
const namesAtOnce = 50

// FindNames maps ids of an organization to readable names: keys to labels, members to email addresses, and projects to
// names. It omits ids of other kinds and ids of deleted objects.
func (r reads) FindNames(ctx context.Context, organizationID string, ids []string) (map[string]string, error) {
	out := map[string]string{}
	for _, from := range []struct{ prefix, query string }{
		{id.Key, `SELECT id, label FROM api_keys WHERE organization_id = $1 AND id IN `},
		{id.Member, `SELECT id, email FROM members WHERE organization_id = $1 AND id IN `},
		{id.Project, `SELECT id, name FROM projects WHERE organization_id = $1 AND id IN `},
	} {
		mine := slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return !id.Has(from.prefix, s) })
		slices.Sort(mine)
		for some := range slices.Chunk(slices.Compact(mine), namesAtOnce) {
			if err := r.findSomeNames(ctx, out, from.query, organizationID, some); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// findSomeNames pads the list of ids to a fixed length, so that only one statement per kind has to be prepared.
func (r reads) findSomeNames(ctx context.Context, into map[string]string, query, organizationID string,
	ids []string) error {
	args, places := []any{organizationID}, make([]string, namesAtOnce)
	for i := range places {
		places[i] = fmt.Sprint("$", i+2)
		args = append(args, ids[min(i, len(ids)-1)])
	}
	type named struct{ id, name string }
	list, err := collect(ctx, r.q, func(s scanner) (named, error) {
		var n named
		err := s.Scan(&n.id, &n.name)
		return n, err
	}, query+`(`+strings.Join(places, ", ")+`)`, args...)
	for _, n := range list {
		if n.name != "" {
			into[n.id] = n.name
		}
	}
	return wrap("find names", err)
}
