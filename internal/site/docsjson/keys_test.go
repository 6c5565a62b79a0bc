package docsjson

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// fitting returns a text that matches a form.
func fitting(f *form) string {
	for _, text := range []string{"#12AB34", "pt-BR", "abc", "7", "us", "G-1", "GTM-1", "pk_a", "phc_a", "a/b",
		"https://assets.adobedtm.com/a.js"} {
		if f.match.MatchString(text) {
			return text
		}
	}
	return ""
}

// samples returns JSON values that a shape accepts, at least one for each kind and word.
func samples(s *shape) (out []string) {
	if s.choose != nil {
		return append([]string{`"some/page"`}, samples(s.choose(jsontree.NewObject()))...)
	}
	for _, kind := range s.kinds {
		switch kind {
		case jsontree.Bool:
			out = append(out, "true", "false")
		case jsontree.Number:
			out = append(out, "7")
		case jsontree.String:
			switch {
			case s.words != nil:
				for _, w := range s.words {
					out = append(out, fmt.Sprintf("%q", w))
				}
			case s.form == nil:
				out = append(out, `"some/text"`, `"noindex"`, `"https://cdn.example.com"`)
			default:
				out = slices.Insert(out, 0, fmt.Sprintf("%q", fitting(s.form)))
			}
		case jsontree.List:
			for _, item := range samples(s.item) {
				out = append(out, "["+item+"]")
				if item[0] == '"' { // some lists need two
					out = append(out, "["+item+`,"other"]`)
				}
			}
		case jsontree.Object:
			out = append(out, "{"+strings.Join(needed(s, ""), ",")+"}")
		}
	}
	return out
}

// needed returns the required members of an object, except one.
func needed(s *shape, but string) (out []string) {
	names := slices.Clone(s.needs)
	if name, ok := strings.CutPrefix(s.level, "navigation."); ok { // the key for the name determines the kind
		for _, d := range divisions() {
			if name == d.key+"[]" {
				names = append(names, d.name)
			}
		}
		if name != "groups[]" && but != "groups" { // the settings of this key need a group to apply to
			out = append(out, `"groups":[{"group":"g"}]`)
		}
	}
	for _, n := range names {
		if n != but {
			out = append(out, fmt.Sprintf("%q:%s", n, samples(s.find(n).shape)[0]))
		}
	}
	return out
}

// visit calls f for each key that has an effect. wrap inserts members into the enclosing objects.
func visit(s *shape, path string, wrap func(string) string, seen map[*shape]bool,
	f func(path string, s *shape, k key, wrap func(string) string)) {
	if s.level != "" {
		path = s.level
	}
	if s.item != nil {
		item := s.item
		if item.choose != nil {
			item = item.choose(jsontree.NewObject())
		}
		if !seen[item] {
			visit(item, path+"[]", func(v string) string { return wrap("[" + v + "]") }, seen, f)
		}
	}
	if s.level != "" {
		if seen[s] {
			return
		}
		seen[s] = true
	}
	keys := slices.Clone(s.keys)
	if s.rest != nil {
		keys = append(keys, key{name: "own", shape: s.rest.shape, idle: s.rest.idle})
	}
	for _, k := range keys {
		if k.effect().Status != Honoured {
			continue
		}
		f(path, s, k, wrap)
		around := needed(s, k.name)
		visit(k.shape, strings.TrimPrefix(path+"."+k.name, "."), func(v string) string {
			return wrap("{" + strings.Join(append(slices.Clone(around), fmt.Sprintf("%q:%s", k.name, v)), ",") + "}")
		}, seen, f)
	}
}

func TestEveryKeyWithAnEffectIsStored(t *testing.T) {
	setters := map[string]bool{}
	walk(siteShape(), func(path string, k key) {
		setters[path] = k.set != nil
		stored := k.set != nil
		for i, c := range path { // or an enclosing object or list stores it
			stored = stored || (c == '.' || c == '[') && setters[path[:i]]
		}
		if k.effect().Status == Honoured && !stored && len(k.shape.keys) == 0 {
			t.Errorf("%s has an effect and no setter, so its value is lost", path)
		}
	})
}

func TestLoadsAtTheSameTimeShareNothing(t *testing.T) {
	doc := func(i int) map[string]string {
		return map[string]string{"docs.json": strings.ReplaceAll(`{"name": "N", "navbar": {"links": [{"href": "/N"}]},
			"redirects": [{"source": "/N", "destination": "/to"}], "contextual": {"options": [{"title": "N", "href": "N"}]},
			"navigation": {"groups": [{"group": "N", "icon": {"name": "N"}, "openapi": {"source": "N"}, "pages": ["N"]}]}}`,
			"N", strconv.Itoa(i))}
	}
	var wait sync.WaitGroup
	for i := range 50 {
		want, _ := load(doc(i))
		wait.Go(func() {
			if got, _ := load(doc(i)); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	wait.Wait()
}

// The table defines which keys have an effect. This test proves that each of them changes the Config that the rest of
// the program uses.
func TestEverySupportedKeyChangesTheConfig(t *testing.T) {
	count := 0
	visit(siteShape(), "", func(v string) string { return v }, map[*shape]bool{},
		func(path string, s *shape, k key, wrap func(string) string) {
			count++
			with := func(member ...string) *Config {
				around := needed(s, k.name)
				if path == "navigation" && k.name != "groups" { // the settings of this key need a group to apply to
					around = append(around, `"groups":[{"group":"g"}]`)
				}
				doc := wrap("{" + strings.Join(append(around, member...), ",") + "}")
				if !json.Valid([]byte(doc)) {
					t.Fatalf("%s.%s: the test wrote %s", path, k.name, doc)
				}
				cfg, _ := load(map[string]string{"docs.json": doc})
				unplace(reflect.ValueOf(cfg))
				return cfg
			}
			without := with()
			for _, value := range samples(k.shape) {
				if value == "{}" && (k.shape.keys != nil || k.shape.rest != nil) { // its own keys are visited separately
					return
				}
				if !reflect.DeepEqual(without, with(fmt.Sprintf("%q:%s", k.name, value))) {
					return
				}
			}
			t.Errorf("%s.%s is listed as honoured but changes nothing, tried %v in %s", path, k.name, samples(k.shape),
				wrap("…"))
		})
	if count < 150 {
		t.Errorf("only %d keys were tried", count)
	}
}

// unplace clears the positions in a value.
func unplace(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.CanInterface() {
			return // a node's details, which are handled with the node
		}
		if n, ok := v.Interface().(*site.Node); ok && n != nil {
			d := n.Details()
			unplace(reflect.ValueOf(&d))
			n.SetDetails(d)
		}
		if !v.IsNil() {
			unplace(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			unplace(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() == reflect.TypeFor[diag.Pos]() {
				f.SetZero()
			} else {
				unplace(f)
			}
		}
	}
}

func TestEveryKeyWithoutEffectIsReportedOnceWithAReason(t *testing.T) {
	keys := Keys()
	for i, u := range keys {
		container := i+1 < len(keys) && strings.HasPrefix(keys[i+1].Path, u.Path+".")
		// these are not reported: containers, keys of list items, and $schema
		if u.Status != Inapplicable || container || strings.Contains(u.Path, "[]") || u.Path == "$schema" {
			continue
		}
		doc := `1`
		keys := strings.Split(strings.ReplaceAll(u.Path, "*", "own"), ".")
		for i := len(keys) - 1; i >= 0; i-- {
			doc = fmt.Sprintf(`{%q:%s}`, keys[i], doc)
		}
		_, list := load(map[string]string{"docs.json": `{"name":"x","navigation":["a"],` + doc[1:]})
		list = slices.DeleteFunc(list,
			func(d diag.Diagnostic) bool { return d.Code == "missing-key" || d.Code == "bad-link" })
		if len(list) != 1 || list[0].Code != "inapplicable-key" || !strings.Contains(list[0].Message, u.Reason) ||
			list[0].Line != 1 {
			t.Errorf("%s: %v", u.Path, list)
		}
	}
	_, list := load(map[string]string{
		"docs.json": `{"name":"x","navigation":[{"group":"g","sdk":1,"pages":["a",{"group":"h","sdk":1,"pages":[]}]}]}`})
	if len(list) != 1 {
		t.Errorf("reported more than once: %v", list)
	}
}

func TestSurveyReportsTheEffectOfEachKey(t *testing.T) {
	got := Survey(fstest.MapFS{
		"docs.json": {
			Data: []byte(`{"name":"x","navigation":{"tabs":[{"tab":"T","groups":[{"group":"g","pages":[{"group":"h","icon":"x"}],"nope":1}]}]},
		"integrations":{"ga4":{"measurementId":"x"}},"seo":{"metatags":{"og:x":"1"}}}`)}})
	want := `integrations honoured
integrations.ga4 honoured
integrations.ga4.measurementId honoured
name honoured
navigation honoured
navigation.groups[].group honoured
navigation.groups[].icon honoured
navigation.groups[].nope unknown
navigation.groups[].pages honoured
navigation.tabs honoured
navigation.tabs[].groups honoured
navigation.tabs[].tab honoured
seo honoured
seo.metatags honoured
seo.metatags.* honoured
`
	var b strings.Builder
	for _, u := range got {
		fmt.Fprintln(&b, u.Path, u.Status)
	}
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// The reference page mentions every key.
func TestReferencePageNamesEveryKey(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/site-file.mdx")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range Keys() {
		pieces := strings.Split(u.Path, ".")
		name, last2 := pieces[len(pieces)-1], strings.Join(pieces[max(0, len(pieces)-2):], ".")
		found := name == "*"
		for _, text := range []string{"`" + u.Path + "`", "`" + u.Path + ".", "`" + u.Path + "[", "`" + name + "`",
			"`" + last2 + "`"} {
			found = found || strings.Contains(string(page), text)
		}
		if !found {
			t.Errorf("%s is not on the page", u.Path)
		}
	}
}

// FuzzLoadTrees checks that for any values of known keys, findings have a position, colours are valid, and a second
// load returns the same result.
func FuzzLoadTrees(f *testing.F) {
	f.Add([]byte("some choices that make a tree of keys and values, long enough to be deep"))
	words := []string{"a", "a/b", "https://example.com", "#aabbcc", "#zz", "GET /x", "en", "all", "dark", "", "../x"}
	var top []string
	for _, u := range Keys() {
		if !strings.Contains(u.Path, ".") {
			top = append(top, u.Path)
		}
		words = append(words, u.Path[strings.LastIndexByte(u.Path, '.')+1:])
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		g := &grower{choices: choices, words: words}
		g.object(top)
		cfg, list := load(map[string]string{"docs.json": g.b.String()})
		for _, d := range list {
			if d.Line < 1 || d.Column < 1 {
				t.Fatalf("no position: %v", d)
			}
		}
		for _, c := range []string{cfg.Colors.Primary, cfg.Colors.Light, cfg.Background.Color.Light,
			cfg.Background.Color.Dark} {
			if c != "" && !hexColor.MatchString(c) {
				t.Fatalf("colour %q", c)
			}
		}
		if len(cfg.Footer.Columns) > 4 || !slices.Contains(Themes(), cfg.Theme) {
			t.Fatalf("%+v", cfg.Settings)
		}
		if again, reported := load(map[string]string{"docs.json": g.b.String()}); !reflect.DeepEqual(cfg, again) ||
			!reflect.DeepEqual(list, reported) {
			t.Fatal("reading twice gives two results")
		}
	})
}
