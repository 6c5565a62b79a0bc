package sitereader

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

const (
	indexEntry = searchindex.Folder + "/" + searchindex.EntryName
	readLife   = 10 * time.Second // for one file
	dialogHits = 30               // number of hits that the search dialog requests, see web/theme/src/search/dialog.ts
)

// searched is an index of package searchindex.
type searched struct{ index *searchindex.Index }

// openIndex reads the index's entry. Other files are read when a search first needs them, with a context of their own:
// a cancelled search must not make concurrent searches fail.
func openIndex(_ context.Context, files Files) (index, error) {
	ix, err := searchindex.Open(func(name string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), readLife)
		defer cancel()
		return files.Read(ctx, searchindex.Folder+"/"+name)
	})
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	return searched{ix}, nil
}

func (s searched) has(page string) (bool, error) {
	found, err := s.index.Has(page)
	if err != nil {
		return false, fmt.Errorf("look up page in search index: %w", err)
	}
	return found, nil
}

func (s searched) pages(from string, limit int) ([]searchindex.Listed, error) {
	found, err := s.index.Pages(from, limit)
	if err != nil {
		return nil, fmt.Errorf("list pages of search index: %w", err)
	}
	return found, nil
}

func (s searched) means(term string) []string { return s.index.Means(term) }

// elsewhere continues a search for which the caller specified neither language nor version, if the part of the site
// that readers see first has no hits. It searches all versions of the home language. If they have no hits either, it
// returns the hits in the language with the best hit, which is usually the language of the query. An answer never
// contains pages in two languages.
func (s searched) elsewhere(ctx context.Context, in searchindex.Query, home searchindex.Home,
) (best searchindex.Answer, err error) {
	in.Version, in.Language = "", ""
	first := in
	first.Limit = 1
	if best, err = s.index.Find(ctx, first); err != nil || len(best.Hits) == 0 {
		return best, err
	}
	in.Language = home.Language
	if best, err = s.index.Find(ctx, in); err != nil || len(best.Hits) > 0 {
		return best, err
	}
	for _, in.Language = range s.index.Languages() {
		found, err := s.index.Find(ctx, in)
		if err != nil {
			return best, err
		}
		if len(found.Hits) > 0 && (len(best.Hits) == 0 || found.Hits[0].Score > best.Hits[0].Score) {
			best = found
		}
	}
	return best, nil
}

func (s searched) search(ctx context.Context, q Query) ([]Hit, error) {
	in := searchindex.Query{Text: q.Text, Limit: q.Limit, Language: q.Language, Version: q.Version, Tag: q.Tag,
		Whole: !q.Dialog, Texts: searchindex.AllTexts}
	if q.Dialog { // the limit affects which text shards decide the order
		in.Limit = max(in.Limit, dialogHits)
	}
	home := s.index.Home()
	unnamed := !q.Anywhere && q.Language == "" && q.Version == "" && home != searchindex.Home{}
	if unnamed { // search the part that readers see first, because results in several languages are useless
		in.Language, in.Version = home.Language, home.Version
	}
	found, err := s.index.Find(ctx, in)
	if err == nil && unnamed && len(found.Hits) == 0 {
		found, err = s.elsewhere(ctx, in, home)
	}
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	out := make([]Hit, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = Hit{Path: h.Path, Anchor: h.Anchor, Title: h.Title, Heading: h.Heading, Crumbs: h.Crumbs, Text: h.Text,
			Snippet: h.Snippet.Text, Marks: h.Snippet.Marks, Score: h.Score}
		if out[i].Text == "" {
			out[i].Text = h.Snippet.Text
		}
	}
	return out, nil
}
