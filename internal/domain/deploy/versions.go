package deploy

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// Versions are the versions of a site that are built from branches and tags of its repository.
type Versions struct {
	Rules   refversion.Rules  `json:"rules"`
	Head    string            `json:"head,omitempty"` // commit of the branch that contains the rules
	Refs    string            `json:"refs"`           // digest of the refs that the rules choose from, see Rules.Digest
	Default string            `json:"default"`        // name of the version at the site's root
	Aliases map[string]string `json:"aliases,omitempty"`
	List    []Version         `json:"list"` // in the order shown to readers, including the default one
}

// Version is one of the versions. All versions except the default one have their own manifest.
type Version struct {
	refversion.Version
	Pages int    `json:"pages,omitempty"`
	Error string `json:"error,omitempty"` // why the newest commit is not published; readers see the previous content
	// Built is the commit whose pages readers see; "" = not published yet.
	Built string `json:"built,omitempty"`
	// Manifest is the blob key of its manifest; "" for the default version, and before the first publication. Blobs
	// are the keys of the other blobs that it needs.
	Manifest string   `json:"manifest,omitempty"`
	Blobs    []string `json:"blobs,omitempty"`
	// Tree is the id of the docs folder in Git. Print is a digest of Tree and of all settings used to build the
	// manifest: if it has not changed, the version does not have to be rebuilt. Tried is the print that Error refers
	// to.
	Tree  string `json:"tree,omitempty"`
	Print string `json:"print,omitempty"`
	Tried string `json:"tried,omitempty"`
	// Groups are the reader groups that its pages are restricted to. Views are the keys of the views that are
	// stored for it.
	Groups []string `json:"groups,omitempty"`
	Views  []string `json:"views,omitempty"`
}

// Take copies the stored pages of another version.
func (v *Version) Take(from *Version) {
	v.Manifest, v.Blobs, v.Print, v.Pages = from.Manifest, from.Blobs, from.Print, from.Pages
	v.Groups, v.Views = from.Groups, from.Views
}

// Public returns the versions without fields that only the server needs.
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

// Find returns the version with a name, or nil.
func (v *Versions) Find(name string) *Version {
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.List, func(o Version) bool { return o.Name == name }); i >= 0 {
		return &v.List[i]
	}
	return nil
}

// VersionSegment is a placeholder for a version's name in stored content, in addresses and in text. The server replaces
// it with the name, so that a page that is the same in several versions has the same bytes in each and is stored once.
const VersionSegment = "-lectern-version-"

// InVersion replaces the placeholder in stored text with a version's name.
func InVersion(text, name string) string { return strings.ReplaceAll(text, VersionSegment, name) }
