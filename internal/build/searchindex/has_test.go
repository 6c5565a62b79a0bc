package searchindex_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// The index contains every second page of the site, some of them in several shards.
func TestHasFindsIndexedPages(t *testing.T) {
	var pages []searchindex.Page
	for i := 1; i < 400; i += 2 {
		text := fmt.Sprintf("Page %d. ", i) + strings.Repeat("Some words of it. ", 10+1500*(i%97/96))
		pages = append(pages, searchindex.Page{Path: fmt.Sprintf("guides/%03d", i), Title: fmt.Sprint(i),
			Sections: []pagetext.Section{{Text: text}}})
	}
	files := build(t, pages...)
	var broken error
	open := func() *searchindex.Index {
		x, err := searchindex.Open(func(name string) ([]byte, error) {
			if broken != nil {
				return nil, broken
			}
			return files[name], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := open()
	for i := range 401 {
		if has, err := x.Has(fmt.Sprintf("guides/%03d", i)); err != nil || has != (i%2 == 1) {
			t.Errorf("%d: %v %v", i, has, err)
		}
	}
	for _, page := range []string{"", "a", "z", "guides", "guides/001/x"} {
		if has, err := x.Has(page); err != nil || has {
			t.Errorf("%q: %v %v", page, has, err)
		}
	}
	all, err := x.Pages("", 1000)
	if err != nil || len(all) != 200 || all[0].Path != "guides/001" || all[199].Path != "guides/399" {
		t.Errorf("all pages: %d, %v", len(all), err)
	}
	if some, err := x.Pages("guides/200", 2); err != nil || len(some) != 2 || some[0].Path != "guides/201" ||
		some[1].Path != "guides/203" {
		t.Errorf("some pages: %v, %v", some, err)
	}
	if none, err := x.Pages("h", 2); err != nil || len(none) != 0 {
		t.Errorf("after the last page: %v, %v", none, err)
	}
	x = open()
	broken = errors.New("no disk")
	if has, err := x.Has("guides/001"); has || !errors.Is(err, broken) {
		t.Errorf("unreadable: %v %v", has, err)
	}
	files, broken = build(t), nil
	if has, err := open().Has("guides/001"); has || err != nil {
		t.Errorf("without pages: %v %v", has, err)
	}
}
