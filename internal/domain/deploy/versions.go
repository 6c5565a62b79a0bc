package deploy

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// Versions are the versions of a site that come from branches and tags of its repository.
type Versions struct {
	Rules   refversion.Rules  `json:"rules"`
	Head    string            `json:"head,omitempty"` // commit of the branch that the rules were read from
	Refs    string            `json:"refs"`           // digest of the refs that the rules choose from, see Rules.Digest
	Default string            `json:"default"`        // name of the version at the site's root
	Aliases map[string]string `json:"aliases,omitempty"`
	List    []Version         `json:"list"` // in the order that readers see, with the default one
}

// Version is one of them. All but the default one have a manifest of their own.
type Version struct {
	refversion.Version
	Pages int    `json:"pages,omitempty"`
	Error string `json:"error,omitempty"` // why the newest commit is not published; what was before stays
	// Built is the commit whose pages readers see; "" = none was published yet.
	Built string `json:"built,omitempty"`
	// Manifest is the blob key of its manifest; "" for the default one, and while nothing was published. Blobs are the
	// others that it needs.
	Manifest string   `json:"manifest,omitempty"`
	Blobs    []string `json:"blobs,omitempty"`
	// Tree is the id of the docs folder in Git, and Print a digest of that and of all settings that the manifest was made
	// with: with the same one, it need not be made again. Tried is the print that Error is about.
	Tree  string `json:"tree,omitempty"`
	Print string `json:"print,omitempty"`
	Tried string `json:"tried,omitempty"`
	// Groups are those that its pages are restricted to, and Views the keys of the views that it is stored for.
	Groups []string `json:"groups,omitempty"`
	Views  []string `json:"views,omitempty"`
}

// Take gives the version the stored pages of another one.
func (v *Version) Take(from *Version) {
	v.Manifest, v.Blobs, v.Print, v.Pages = from.Manifest, from.Blobs, from.Print, from.Pages
	v.Groups, v.Views = from.Groups, from.Views
}

// Public returns the versions without what only the server needs.
func (v *Versions) Public() *Versions {
	if v == nil {
		return nil
	}
	out := *v
	out.List = slices.Clone(v.List)
	for i := range out.List {
		one := &out.List[i]
		one.Manifest, one.Blobs, one.Tree, one.Print, one.Tried = "", nil, "", "", ""
		one.Groups, one.Views = nil, nil
	}
	return &out
}

// Find returns the version of a name; nil if there is none.
func (v *Versions) Find(name string) *Version {
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.List, func(o Version) bool { return o.Name == name }); i >= 0 {
		return &v.List[i]
	}
	return nil
}

// VersionSegment stands for the name of a version in what is stored of it, in addresses and as text. The server puts the
// name in its place, so equal pages of versions are equal bytes, stored once.
const VersionSegment = "-lectern-version-"

// InVersion returns a stored text as it is in a version.
func InVersion(text, name string) string { return strings.ReplaceAll(text, VersionSegment, name) }
