package openapi

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Spec is one API description.
type Spec struct {
	Name        string // path in the docs folder, or URL
	Title       string
	Version     string
	Description string
	Async       bool // AsyncAPI: there are Channels instead of Operations

	Servers    []Server
	Operations []*Operation // in source order, without excluded operations
	Webhooks   []*Operation
	Channels   []*Channel
	Schemas    []string // names of component schemas, in order
	Tags       []Tag

	copy    *Copy // the fetched data; nil for a file in the docs folder
	root    *jsontree.Value
	swagger bool // Swagger 2.0
	files   map[string]*jsontree.Document
	byKey   map[string]*Operation                 // "GET /pets", "WEBHOOK name"
	byShape map[string]*Operation                 // like byKey, but keyed by the shape of the path
	uses    map[*jsontree.Value][]*jsontree.Value // AsyncAPI: the operations of each channel
}

// Tag is a group of operations.
type Tag struct {
	Name, Description string
	Group             string // x-group: title in the navigation; "" = Name
}

// Server is a base URL of the API. URL may contain {variables}.
type Server struct {
	URL, Description string
	Variables        []Variable
}

// Variable is a part of a server's URL that readers choose.
type Variable struct {
	Name, Default, Description string
	Enum                       []string
}

// Filled returns the URL with its variables replaced by their defaults.
func (s Server) Filled() string {
	url := s.URL
	for _, v := range s.Variables {
		if v.Default != "" {
			url = strings.ReplaceAll(url, "{"+v.Name+"}", v.Default)
		}
	}
	return url
}

// Sniff reports whether data looks like an API description. It does not parse the data.
func Sniff(data []byte) bool { return sniff.Match(data) }

// newSpec returns the Spec of a document. If the document is not a description, it adds a finding and returns nil.
func newSpec(doc *jsontree.Document, list *diag.List) *Spec {
	s := &Spec{Name: doc.Name, root: doc.Root, byKey: map[string]*Operation{}, byShape: map[string]*Operation{}}
	openapi, swagger, async := doc.Root.Get("openapi").Text(), doc.Root.Get("swagger").Text(), doc.Root.Get("asyncapi").
		Text()
	switch {
	case strings.HasPrefix(openapi, "3"):
	case strings.HasPrefix(swagger, "2"):
		s.swagger = true
	case async != "":
		s.Async = true
	default:
		list.Errorf(diag.Pos{File: doc.Name, Line: 1, Column: 1}, "spec-version",
			"This is not an API description of a supported version.")
		list.Hint(`It must have "openapi": "3.x", "swagger": "2.0" or "asyncapi": "3.x" at the top level.`)
		return nil
	}
	return s
}

// read fills the lists of operations, channels and schemas. Their items are decoded when a page is rendered.
func (s *Spec) read(list *diag.List) {
	info := s.root.Get("info")
	s.Title, s.Version, s.Description = oneLine(info.Get("title").Text()), info.Get("version").
		Text(), info.Get("description").Text()
	for _, t := range items(s.root.Get("tags")) {
		s.Tags = append(s.Tags, Tag{Name: t.Get("name").Text(), Description: t.Get("description").Text(),
			Group: t.Get("x-group").Text()})
	}
	if s.Async {
		s.readChannels()
		return
	}
	s.Servers = s.rootServers()
	for _, m := range members(s.schemas()) {
		s.Schemas = append(s.Schemas, m.Key)
	}
	for _, m := range members(s.root.Get("paths")) {
		if strings.HasPrefix(m.Key, "/") {
			s.readItem(m.Key, m.Value, list)
		}
	}
	for _, m := range members(s.root.Get("webhooks")) {
		s.readWebhook(m.Key, m.Value)
	}
}

// schemas returns the object with the named schemas.
func (s *Spec) schemas() *jsontree.Value {
	if s.swagger {
		return s.root.Get("definitions")
	}
	return s.root.Get("components").Get("schemas")
}

func (s *Spec) rootServers() []Server {
	if !s.swagger {
		return readServers(s.root.Get("servers"))
	}
	host, base := s.root.Get("host").Text(), s.root.Get("basePath").Text()
	if host == "" {
		if base == "" || base == "/" {
			return nil
		}
		return []Server{{URL: base}}
	}
	schemes := s.root.Get("schemes").Texts()
	if len(schemes) == 0 {
		schemes = []string{"https"}
	}
	var out []Server
	for _, scheme := range schemes {
		out = append(out, Server{URL: scheme + "://" + host + strings.TrimSuffix(base, "/")})
	}
	return out
}

func readServers(v *jsontree.Value) (out []Server) {
	for _, item := range items(v) {
		srv := Server{URL: strings.TrimSuffix(strings.TrimSpace(item.Get("url").Text()), "/"),
			Description: oneLine(item.Get("description").Text())}
		for _, m := range members(item.Get("variables")) {
			srv.Variables = append(srv.Variables, Variable{
				Name: m.Key, Default: m.Value.Get("default").
					Text(), Description: oneLine(m.Value.Get("description").Text()), Enum: m.Value.Get("enum").Texts(),
			})
		}
		if srv.URL != "" {
			out = append(out, srv)
		}
	}
	return out
}

// Schema returns the view of a named schema, or nil. Each page that shows it gets its own budget.
func (s *Spec) Schema(name string) *Schema {
	v := s.schemas().Get(name)
	if v == nil {
		return nil
	}
	out := newViews(s).schema(v)
	if out.Name == "" {
		out.Name = name
	}
	return out
}

func items(v *jsontree.Value) []*jsontree.Value {
	if v.Is(jsontree.List) {
		return v.Items
	}
	return nil
}

func members(v *jsontree.Value) []jsontree.Member {
	if v.Is(jsontree.Object) {
		return v.Members
	}
	return nil
}

// oneLine replaces line breaks and other white space with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
