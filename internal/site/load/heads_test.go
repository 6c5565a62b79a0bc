package load

import (
	"reflect"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// setField sets a field to a value other than its zero value.
func setField(t *testing.T, f reflect.Value) {
	t.Helper()
	switch f.Kind() {
	case reflect.String:
		f.SetString("text of " + strings.Repeat("x", 200))
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Float64:
		f.SetFloat(2.5)
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 2, 2))
		if e := f.Index(1); e.Kind() == reflect.String {
			e.SetString("second")
		} else {
			setField(t, e.Field(0))
		}
	default:
		t.Fatalf("a new kind of field, %s: let headWriter keep it or leave such pages out", f.Type())
	}
}

// roundTrip encodes and decodes a head. absent reports whether the head must be read from the folder.
func roundTrip(t *testing.T, h readHead) (got site.Page, absent bool) {
	t.Helper()
	w := &headWriter{}
	w.head(&h)
	r := &headReader{in: string(w.out)}
	ok := r.head(&got, h.page.File)
	if r.bad || r.in != "" {
		t.Fatalf("decoding %q left %q", w.out, r.in)
	}
	for n := range w.out {
		cut := &headReader{in: string(w.out[:n])}
		if cut.head(&site.Page{}, "f") && ok || !cut.bad {
			t.Fatalf("a head was decoded from %d of %d bytes", n, len(w.out))
		}
	}
	return got, !ok
}

// Every page property is either cached, or pages that have it are not cached at all. Otherwise the property would be
// lost.
func TestHeadsKeepEveryPageProperty(t *testing.T) {
	plain := site.Page{Path: "guides/start", File: "guides/start.mdx"}
	kept := 0
	check := func(name string, p site.Page) {
		t.Helper()
		got, absent := roundTrip(t, readHead{page: &p})
		if absent {
			t.Logf("%s: read from the folder", name)
			return
		}
		if kept++; !reflect.DeepEqual(got, p) {
			t.Errorf("%s: %+v became %+v", name, p, got)
		}
	}
	check("nothing", plain)
	for i := range reflect.TypeFor[site.Page]().NumField() {
		p := plain
		if f := reflect.ValueOf(&p).Elem().Field(i); f.CanSet() {
			setField(t, f)
			check(reflect.TypeFor[site.Page]().Field(i).Name, p)
		}
	}
	for i := range reflect.TypeFor[site.PageDetails]().NumField() {
		p, d := plain, site.PageDetails{}
		setField(t, reflect.ValueOf(&d).Elem().Field(i))
		p.SetDetails(d)
		check(reflect.TypeFor[site.PageDetails]().Field(i).Name, p)
	}
	if kept < 25 {
		t.Errorf("only %d of the properties are kept", kept)
	}
	var list diag.List
	list.Warnf(diag.Pos{}, "x", "A finding.")
	if _, absent := roundTrip(t, readHead{page: &plain, list: list}); !absent {
		t.Error("a page with findings is kept without them")
	}
}

// The grouping of pages in the cache depends only on their paths, so that a new page changes only one group.
func TestNewPageChangesOnlyItsCacheGroup(t *testing.T) {
	var files []string
	for i := range 2000 {
		files = append(files, strings.Repeat("a", i/100)+"/page-"+string(rune('a'+i%26))+strings.Repeat("b", i%100)+".mdx")
	}
	groups := func(files []string) map[string]bool {
		out := map[string]bool{}
		for len(files) > 0 {
			n := groupEnd(files)
			if n < 1 || n > groupMax {
				t.Fatalf("a group of %d", n)
			}
			out[strings.Join(files[:n], "\n")] = true
			files = files[n:]
		}
		return out
	}
	before := groups(files)
	after := groups(append(append(append([]string{}, files[:700]...), "new.mdx"), files[700:]...))
	changed := 0
	for g := range after {
		if !before[g] {
			changed++
		}
	}
	if changed > 3 || len(before) < 2000/groupMax {
		t.Errorf("%d of %d groups changed", changed, len(after))
	}
}
