// Package npm holds the parts of Lectern that come from npm, packed for the binary: icons, typefaces, the formula
// typesetter, the diagram renderer, and the two scripts for author components (web/island).
//
// Inputs: the files in dist, which tools/packweb writes from the packages pinned in package-lock.json and from web/island.
// Outputs: these files, by name. It never needs Node at run time, and does not depend on what a file is used for.
package npm

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed dist
var files embed.FS

// FS returns the packed files. It is empty in a build that skipped the packing.
func FS() fs.FS {
	sub, err := fs.Sub(files, "dist")
	if err != nil {
		panic("npm: " + err.Error()) // dist is embedded above
	}
	return sub
}

// Read returns a packed file, decompressed: "mermaid.js" is stored as mermaid.js.gz. The caller owns the bytes.
func Read(packs fs.FS, name string) ([]byte, error) {
	packed, err := fs.ReadFile(packs, name+".gz")
	if errors.Is(err, fs.ErrNotExist) {
		if plain, plainErr := fs.ReadFile(packs, name); plainErr == nil {
			return plain, nil
		}
		return nil, fmt.Errorf("this program was built without %s: build it with make build: %w", name, err)
	} else if err != nil {
		return nil, fmt.Errorf("read packed file: %w", err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	// The last four bytes contain the size. Allocating exactly that much saves memory, because some files are kept as
	// long as the process runs.
	data := bytes.NewBuffer(make([]byte, 0, int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))+bytes.MinRead))
	if _, err := data.ReadFrom(zip); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	return data.Bytes(), nil
}
