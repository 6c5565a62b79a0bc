package outtree

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// ManifestPath is where the list of files stands in a tree.
const ManifestPath = "manifest.json"

// Labels are the caller's words about a tree; they are not part of its digest.
type Labels struct{ Tool, Version, Commit string }

type manifest struct {
	Format   int            `json:"format"`
	Tool     string         `json:"tool"`
	Version  string         `json:"version"`
	Commit   string         `json:"commit"`
	TreeHash string         `json:"treeHash"`
	Files    []manifestFile `json:"files"`
}

type manifestFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Type   string `json:"type"`
}

// Manifest is the file that names every other file of the tree with its digest. It goes last.
func (l *Ledger) Manifest(labels Labels) (File, error) {
	entries := l.Entries()
	m := manifest{Format: 1, Tool: labels.Tool, Version: labels.Version, Commit: labels.Commit, TreeHash: l.TreeHash(), Files: make([]manifestFile, len(entries))}
	for i, e := range entries {
		m.Files[i] = manifestFile{Path: e.Path, Size: e.Size, SHA256: hex.EncodeToString(e.SHA256[:]), Type: e.ContentType}
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return File{}, fmt.Errorf("encode manifest: %w", err)
	}
	return File{Path: ManifestPath, ContentType: ContentType(ManifestPath), Data: append(data, '\n')}, nil
}
