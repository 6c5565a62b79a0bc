package frontmatter

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
)

// Fields holds the front matter keys that the platform reads. All other keys belong to the author.
type Fields struct {
	Title, SidebarTitle, Description string
	Icon, IconType, Tag, Mode, URL   string
	Canonical, Robots                string
	LastUpdated                      string // the author's date, as written
	TranslatedFrom                   string // on a translation, the version mark of its source page
	Keywords, Related, Groups        []string
	Boost                            float64  // 0 = not set
	OpenAPI, OpenAPISchema, AsyncAPI string   // the part of an API description that the page shows, as written
	API, AuthMethod, Playground      string   // set on a page that describes an operation itself
	APIPos                           diag.Pos // of the last of these keys
	Hidden, NoIndex, Deprecated      bool
	HideFooterPagination             bool
	HideAPIMarker, RSS               bool
	Searchable, Timestamp, Public    *bool           // nil = not set
	Contextual                       *jsontree.Value // the list of actions in the page menu; nil = not set
	Meta                             []Pair          // og:*, twitter:* and similar, in the order written
}

// Pair is a named value.
type Pair struct{ Name, Value string }

// modes returns the valid layouts of a page.
func modes() []string { return []string{"default", "wide", "custom", "frame", "center", "assistant"} }

func parseFields(file string, head []byte) (f Fields, list diag.List) {
	if f, ok := simple(head); ok {
		return f, nil
	}
	return parseYAML(file, head)
}

func parseYAML(file string, head []byte) (f Fields, list diag.List) {
	doc, err := yamltree.Parse(file, head,
		yamltree.Options{Limits: limits(), Before: fence, Spelled: true, Single: true})
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		list.Errorf(bad.Pos, "front-matter-syntax", "The front matter cannot be parsed. %s", bad.Message)
		list.Hint("Put quotes around values that contain a colon, a # or a quotation mark.")
		return f, list
	}
	if len(doc.Twice) > 0 {
		again := doc.Twice[0]
		list.Errorf(again.Pos(), "front-matter-syntax", "The front matter contains the key %q twice.", again.Key)
		list.Hint("Keep one of them.")
		return f, list
	}
	r := &reader{file: file, fields: &f, keys: f.keys(), list: &list}
	r.document(doc.Root)
	return f, list
}

// reader decodes the fields of one page.
type reader struct {
	file   string
	fields *Fields
	keys   []known
	list   *diag.List
}

func (r *reader) document(body *jsontree.Value) {
	switch body.Kind {
	case jsontree.Null:
	case jsontree.Object:
		for _, m := range body.Members {
			r.pair(m)
		}
	default:
		r.list.Warnf(body.Pos(), "front-matter-shape",
			"The front matter is not a list of key: value pairs and is ignored.")
	}
}

func (r *reader) pair(m jsontree.Member) {
	key := m.Key
	if strings.EqualFold(key, "groups") {
		key = "groups" // a restricted page must not become public because of a capital letter
	}
	switch key {
	case "openapi", "openapi-schema", "asyncapi", "api":
		r.fields.APIPos = m.Value.Pos()
	}
	for _, k := range r.keys {
		if k.name == key {
			if k.read != nil {
				k.read(r, key, m.Value)
			}
			return
		}
	}
	if value, ok := scalar(m.Value); isMeta(key) {
		if ok {
			r.fields.Meta = append(r.fields.Meta, Pair{key, value})
		}
		return
	}
	r.near(key, m.Pos())
}

// read decodes the value of one key.
type read func(r *reader, key string, value *jsontree.Value)

// known describes a key that the platform reads.
type known struct {
	name string
	read read // nil: not used
}

// keys returns the table of known keys.
func (f *Fields) keys() []known {
	return []known{
		{"title", text(&f.Title)}, {"sidebarTitle", text(&f.SidebarTitle)}, {"description", text(&f.Description)},
		{"icon", icon(&f.Icon, &f.IconType)}, {"iconType", text(&f.IconType)}, {"tag", text(&f.Tag)},
		{"mode", word(&f.Mode, modes())}, {"url", text(&f.URL)},
		{"canonical", text(&f.Canonical)}, {"robots", text(&f.Robots)}, {"lastUpdatedDate", text(&f.LastUpdated)},
		{"translatedFrom", text(&f.TranslatedFrom)},
		{"keywords", words(&f.Keywords)}, {"related", words(&f.Related)}, {"groups", readers(&f.Groups)},
		{"boost", weight(&f.Boost)},
		{"openapi", text(&f.OpenAPI)}, {"openapi-schema", text(&f.OpenAPISchema)}, {"asyncapi", text(&f.AsyncAPI)},
		{"api", text(&f.API)}, {"authMethod", text(&f.AuthMethod)},
		{"playground", word(&f.Playground, []string{"interactive", "simple", "none", "auth"})},
		{"hidden", flag(&f.Hidden)}, {"noindex", flag(&f.NoIndex)}, {"deprecated", flag(&f.Deprecated)},
		{"hideFooterPagination", flag(&f.HideFooterPagination)}, {"hideApiMarker", flag(&f.HideAPIMarker)},
		{"public", choice(&f.Public)}, {"rss", flag(&f.RSS)},
		{"searchable", choice(&f.Searchable)}, {"timestamp", choice(&f.Timestamp)}, {"contextual", tree(&f.Contextual)},
		{"version", nil}, {"sdk", nil}, // written by tools that generated the page
	}
}

func text(to *string) read {
	return func(r *reader, key string, value *jsontree.Value) {
		s, ok := scalar(value)
		if !ok {
			r.list.Warnf(value.Pos(), "front-matter-type", "The value of %q must be text.", key)
			return
		}
		*to = strings.Join(strings.Fields(s), " ") // one line, because the text is used in titles, attributes and lists
	}
}

func flag(to *bool) read {
	return func(r *reader, key string, value *jsontree.Value) {
		s, ok := scalar(value)
		switch {
		case ok && (s == "true" || s == "True" || s == "TRUE"):
			*to = true
		case ok && (s == "" || strings.EqualFold(s, "false")):
			*to = false
		default:
			r.list.Warnf(value.Pos(), "front-matter-type", "The value of %q must be true or false.", key)
		}
	}
}

// choice reads a flag that may be absent.
func choice(to **bool) read {
	return func(r *reader, key string, value *jsontree.Value) {
		if s, ok := scalar(value); ok && s == "" {
			return
		}
		var on bool
		before := len(*r.list)
		if flag(&on)(r, key, value); len(*r.list) == before {
			*to = &on
		}
	}
}

// maxBoost limits the weight of a page in search. Pages with a larger weight would hide all others.
const maxBoost = 100

func weight(to *float64) read {
	return func(r *reader, key string, value *jsontree.Value) {
		s, ok := scalar(value)
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		switch {
		case ok && s == "":
		case !ok || err != nil || math.IsNaN(n) || n <= 0 || n > maxBoost:
			r.list.Warnf(value.Pos(), "front-matter-type",
				"The value of %q must be a number greater than 0 and at most %d.", key, maxBoost)
		default:
			*to = n
		}
	}
}

// words reads a list of strings, or one string with commas. false results in an empty list.
func words(to *[]string) read {
	return func(r *reader, key string, value *jsontree.Value) {
		out, ok := wordList(value)
		if !ok {
			r.list.Warnf(value.Pos(), "front-matter-type", "The value of %q must be a list of strings.", key)
			return
		}
		*to = out
	}
}

// readers reads the groups that may see the page. An invalid value, or a list without names, results in a group without
// members: it is better to hide the page from everyone than to show it to everyone.
func readers(to *[]string) read {
	return func(r *reader, key string, value *jsontree.Value) {
		before := len(*r.list)
		words(to)(r, key, value)
		if len(*r.list) == before && len(*to) == 0 && len(value.Items) > 0 {
			r.list.Warnf(value.Pos(), "front-matter-type", "The value of %q contains no group name.", key)
		}
		if len(*r.list) > before {
			*to = []string{""}
		}
	}
}

// icon reads the name of an icon, or an object {name, style}.
func icon(name, style *string) read {
	return func(r *reader, key string, value *jsontree.Value) {
		if value.Kind != jsontree.Object {
			text(name)(r, key, value)
			return
		}
		*name = strings.Join(strings.Fields(value.Get("name").Text()), " ")
		if s := value.Get("style").Text(); s != "" {
			*style = strings.Join(strings.Fields(s), " ")
		}
	}
}
