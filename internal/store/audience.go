package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// Limits on distinct values per project and day. Anyone can make up paths and search terms, so values beyond a limit
// are counted under audience.Other.
const (
	maxPaths  = 20_000
	maxTerms  = 20_000
	maxMisses = 5_000
	maxOthers = 5_000 // referrers, operations
	// visitors; each is stored once for the site and once per page. Beyond the limit, only views are counted.
	maxMarks = 500_000
)

// AddAudience adds a batch to the stored counts, either completely or not at all. It drops counts for deleted projects.
func (s *Store) AddAudience(ctx context.Context, b *audience.Batch) error {
	places := slices.SortedFunc(maps.Keys(b.Places), func(a, b audience.Place) int {
		return cmp.Or(cmp.Compare(a.ProjectID, b.ProjectID), cmp.Compare(a.Day, b.Day))
	})
	return s.Tx(ctx, func(t *Tx) error {
		for _, p := range places {
			_, err := single(ctx, t.q, value[string], `SELECT id FROM projects WHERE id = $1`, p.ProjectID)
			if errors.Is(err, errNone) {
				continue
			}
			if err != nil {
				return wrap("find project", err)
			}
			if err := t.addSums(ctx, p, b.Places[p]); err != nil {
				return err
			}
		}
		return nil
	})
}

// addSums adds the counts of one place. It updates the row for the day first. The lock on this row makes other
// processes wait, so that two transactions cannot deadlock on the other rows.
func (t *Tx) addSums(ctx context.Context, p audience.Place, s *audience.Sums) error {
	f := s.Figures
	day := countRow{sums: append(slices.Concat(f.Views[:], f.Visitors[:]), f.Searches, f.NoResults, f.Clicks, f.Missing,
		f.Asks, f.Tries, f.Copies, f.Suggestions)}
	if err := t.grow(ctx, dayCounts, p, []countRow{day}); err != nil {
		return err
	}
	visitors, err := t.addMarks(ctx, p, s.Marks)
	if err != nil {
		return err
	}
	if all, ok := visitors[""]; ok {
		row := countRow{sums: make([]int64, len(dayCounts.sums))}
		copy(row.sums[len(all):], all[:])
		if err := t.grow(ctx, dayCounts, p, []countRow{row}); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		in   counts
		rows []countRow
	}{
		{pageCounts, pageRows(s.Pages, visitors)},
		{referrerCounts, rowsOf(s.Referrers,
			func(host string, n int64) countRow { return countRow{keys: []string{host}, sums: []int64{n}} })},
		{searchCounts, rowsOf(s.Terms, termRow)},
		{clickCounts, rowsOf(s.Clicks,
			func(k audience.Pair, n int64) countRow { return countRow{keys: k[:], sums: []int64{n}} })},
		{missingCounts, rowsOf(s.Missing, func(k audience.Pair, m *audience.Miss) countRow {
			return countRow{keys: k[:], sums: []int64{m.N}, last: []int64{micros(m.Last)}}
		})},
		{tryCounts, rowsOf(s.Trials, func(op string, v *audience.Trial) countRow {
			return countRow{keys: []string{op}, sums: []int64{v.N, v.Succeeded, v.Refused, v.Failed},
				last: []int64{micros(v.Last)}}
		})},
	} {
		if err := t.growWithin(ctx, part.in, p, part.rows); err != nil {
			return err
		}
	}
	return nil
}

func termRow(query string, v *audience.Term) countRow {
	last := int64(0)
	if !v.LastSearched.IsZero() {
		last = micros(v.LastSearched)
	}
	return countRow{keys: []string{query}, sums: []int64{v.Searches, v.NoResults, v.Clicks},
		last: []int64{last, v.Hits}}
}

func pageRows(pages map[string]*audience.Traffic, visitors map[string]*audience.Traffic) []countRow {
	return rowsOf(pages, func(path string, views *audience.Traffic) countRow {
		seen := visitors[path]
		if seen == nil {
			seen = new(audience.Traffic)
		}
		return countRow{keys: []string{path}, sums: slices.Concat(views[:], seen[:])}
	})
}

func rowsOf[K comparable, V any](m map[K]V, row func(K, V) countRow) []countRow {
	out := make([]countRow, 0, len(m))
	for k, v := range m {
		out = append(out, row(k, v))
	}
	return out
}

// marksAtOnce is the number of marks per INSERT statement.
const marksAtOnce = 64

// addMarks stores visitors' marks and returns, how many of them are new on that day, by page. Page "" stands for the
// whole site.
func (t *Tx) addMarks(ctx context.Context, p audience.Place,
	marks map[audience.Mark]audience.Seen) (map[string]*audience.Traffic, error) {
	out := map[string]*audience.Traffic{}
	if len(marks) == 0 {
		return out, nil
	}
	had, err := single(ctx, t.q, value[int64], `SELECT marks FROM audience_days WHERE project_id = $1 AND day = $2`,
		p.ProjectID, int64(p.Day))
	if err != nil {
		return nil, wrap("count visitors", err)
	}
	made := 0
	for some := range slices.Chunk(withinRoom(marks, maxMarks-int(had)), marksAtOnce) {
		args := []any{p.ProjectID, int64(p.Day)}
		for i := range marksAtOnce { // pads short lists with their last mark, so that one statement is enough
			args = append(args, int64(some[min(i, len(some)-1)]))
		}
		fresh, err := collect(ctx, t.q, value[int64], marksStatement, args...)
		if err != nil {
			return nil, wrap("record visitors", err)
		}
		made += len(fresh)
		for _, m := range fresh {
			seen := marks[audience.Mark(m)]
			if out[seen.Path] == nil {
				out[seen.Path] = new(audience.Traffic)
			}
			out[seen.Path].Add(seen.Class)
		}
	}
	if made > 0 {
		_, err = t.q.exec(ctx, `UPDATE audience_days SET marks = marks + $3 WHERE project_id = $1 AND day = $2`,
			p.ProjectID, int64(p.Day), int64(made))
	}
	return out, wrap("count visitors", err)
}

// withinRoom returns up to room marks in a stable order. Marks for the whole site come before marks for individual
// pages.
func withinRoom(marks map[audience.Mark]audience.Seen, room int) []audience.Mark {
	list := slices.Collect(maps.Keys(marks))
	if len(list) > room {
		slices.SortFunc(list, func(a, b audience.Mark) int {
			return cmp.Or(cmp.Compare(marks[a].Path, marks[b].Path), cmp.Compare(a, b))
		})
		list = list[:max(0, room)]
	}
	slices.Sort(list)
	return list
}
