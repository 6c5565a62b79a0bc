package load

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// apiDirectory is the path prefix of pages generated from a description when the navigation does not set a
// directory.
const apiDirectory = "api-reference"

// expand replaces operations with pages and adds the pages of whole descriptions. own holds the descriptions set on the
// node that contains nodes, and around holds the descriptions that this node inherits.
func (a *apiScan) expand(nodes []*site.Node, own, around []site.Source) []*site.Node {
	whole := len(own) > 0 && !a.covered(nodes, own)
	if len(own) > 0 {
		around = own
	}
	var out []*site.Node
	for _, n := range nodes {
		more := n.Details()
		if more.Operation != "" {
			if n = a.entry(n, around); n != nil {
				out = append(out, n)
			}
			continue
		}
		n.Children = a.expand(n.Children, more.Sources, around)
		if more.Sources != nil {
			more.Sources = nil
			n.SetDetails(more)
		}
		out = append(out, n)
	}
	if whole {
		for _, s := range own {
			for _, file := range s.Files {
				out = append(out, a.all(file, s.Directory)...)
			}
		}
	}
	return out
}

// covered reports whether the author listed operations of these descriptions below a node. Then only the listed
// operations are shown.
func (a *apiScan) covered(nodes []*site.Node, own []site.Source) (found bool) {
	names := map[string]bool{}
	for _, s := range own {
		for _, f := range s.Files {
			names[openapi.FileName(f)] = true
		}
	}
	site.Walk(nodes, func(n *site.Node) bool {
		more := n.Details()
		if more.Operation != "" {
			found = true
		}
		if p := a.site.Find(n.Page); p != nil && p.API != nil && names[p.API.Spec] {
			found = true
		}
		return !found && len(more.Sources) == 0
	})
	return found
}

// entry creates the page for an entry such as "GET /pets". It returns nil if the operation does not exist.
func (a *apiScan) entry(n *site.Node, around []site.Source) *site.Node {
	more := n.Details()
	written := more.Operation
	e, ok := openapi.ParseEntry(written)
	if !ok {
		a.list.Warnf(n.Pos, "api-entry", "%q is not an operation.", written)
		return nil
	}
	directory := ""
	var prefer []string
	for _, s := range around {
		prefer = append(prefer, s.Files...)
		if s.Directory != "" {
			directory = s.Directory
		}
	}
	prefer = append(prefer, a.defaults...)
	more.Operation = ""
	n.SetDetails(more)
	if op := a.set.Operation(e.File, e.Method, e.Path, prefer...); op != nil {
		n.Page = a.make(op, directory)
		return n
	}
	ref := &site.APIRef{Kind: site.APIOperation, Method: e.Method, Path: e.Path, Written: written, Pos: n.Pos}
	a.missing(ref, e, prefer, "operation-missing", "No API description has the operation %q.")
	if ref.Spec == "" {
		return nil
	}
	n.Page = a.stub(ref, directory)
	return n
}

// all creates the pages of a whole description: groups by tag, in the order of their first operations, followed by
// webhooks.
func (a *apiScan) all(file, directory string) (out []*site.Node) {
	spec := a.set.Spec(file)
	if spec == nil {
		return nil
	}
	groups, titles := map[string]*site.Node{}, groupTitles(spec)
	add := func(tag, page string) {
		n := &site.Node{Kind: site.KindPage, Page: page}
		if tag == "" {
			out = append(out, n)
			return
		}
		if groups[tag] == nil {
			groups[tag] = &site.Node{Kind: site.KindGroup, Title: cmp.Or(titles[tag], tag)}
			out = append(out, groups[tag])
		}
		groups[tag].Children = append(groups[tag].Children, n)
	}
	for _, op := range slices.Concat(spec.Operations, spec.Webhooks) {
		tag := ""
		if len(op.Tags) > 0 {
			tag = op.Tags[0]
		} else if op.Method == openapi.Webhook {
			tag = "Webhooks"
		}
		if page := a.make(op, directory); !op.Hidden {
			add(tag, page)
		}
	}
	for _, c := range spec.Channels {
		add("", a.makeChannel(c, directory))
	}
	return out
}

// groupTitles maps tags to navigation titles that differ from their names.
func groupTitles(spec *openapi.Spec) map[string]string {
	titles := map[string]string{}
	for _, t := range spec.Tags {
		if t.Group != "" && titles[t.Name] == "" {
			titles[t.Name] = t.Group
		}
	}
	return titles
}

// make creates the page of an operation and returns its path. If the author has a page at that path, it is used
// instead.
func (a *apiScan) make(op *openapi.Operation, directory string) string {
	kind := site.APIOperation
	if op.Method == openapi.Webhook {
		kind = site.APIWebhook
	}
	p := &site.Page{
		Title: op.Title(), Deprecated: op.Deprecated, Hidden: op.Hidden,
		API: &site.APIRef{Kind: kind, Spec: op.Spec().Name, Method: op.Method, Path: op.Path, Written: op.Key()},
	}
	if directory == "" {
		directory = apiDirectory
	}
	p.Path = op.PagePath(directory)
	for _, m := range op.Mint.Metadata {
		metadata(p, m.Key, m.Value)
	}
	readers(p, op)
	describe(p, op.Description)
	return a.enter(p, directory+"\x00"+op.Spec().Name+"\x00"+op.Key())
}

func (a *apiScan) makeChannel(c *openapi.Channel, directory string) string {
	if directory == "" {
		directory = apiDirectory
	}
	p := &site.Page{
		Path: c.PagePath(directory), Title: c.Title,
		API: &site.APIRef{Kind: site.APIChannel, Spec: c.Spec().Name, Path: c.Name, Written: c.Name},
	}
	describe(p, c.Description)
	return a.enter(p, directory+"\x00"+c.Spec().Name+"\x00"+c.Name)
}

// stub creates an operation's page if the operation's description was not fetched.
func (a *apiScan) stub(ref *site.APIRef, directory string) string {
	if directory == "" {
		directory = apiDirectory
	}
	name := openapi.Slug(strings.ToLower(ref.Method) + strings.NewReplacer("/", " ", "{", "", "}", "").
		Replace(ref.Path))
	p := &site.Page{Path: strings.Trim(directory, "/") + "/" + name, Title: ref.Method + " " + ref.Path, API: ref}
	return a.enter(p, directory+"\x00"+ref.Spec+"\x00"+p.Title)
}

// enter adds a page, but only once per key. If another operation already has the same path, it appends a number to the
// path.
func (a *apiScan) enter(p *site.Page, key string) string {
	if path, ok := a.made[key]; ok {
		return path
	}
	path, ok := slug.Clean(p.Path)
	if !ok || !output.ValidPath(path+".html") {
		path = apiDirectory + "/operation"
	}
	p.Path = path
	if own := a.site.Find(path); own != nil {
		a.made[key] = path
		return path
	}
	base := strings.ToLower(path)
	for a.taken[strings.ToLower(p.Path)] {
		a.numbers[base]++
		p.Path = path + "-" + strconv.Itoa(a.numbers[base])
	}
	a.taken[strings.ToLower(p.Path)] = true
	a.made[key] = p.Path
	a.added = append(a.added, p)
	return p.Path
}
