// Package npm holds what Lectern takes from npm, packed for the binary: icons, typefaces, the formula typesetter, the
// diagram drawer, and the two scripts of author components (web/island).
//
// Inputs: the files in dist, which tools/packweb writes from the packages pinned in package-lock.json and from web/island.
// Outputs: them, by name.
// Never: needs Node when it runs; knows what a file is used for.
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

// FS holds the packed files. A build that skipped the packing has none of them.
func FS() fs.FS {
	sub, err := fs.Sub(files, "dist")
	if err != nil {
		panic("npm: " + err.Error()) // dist is embedded above
	}
	return sub
}

// Read returns one packed file, unpacked: "mermaid.js" is kept as mermaid.js.gz. The bytes are the caller's.
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
	// The last four bytes have the size, so that nothing is allocated in vain: some files are kept for as long as the
	// process runs.
	data := bytes.NewBuffer(make([]byte, 0, int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))+bytes.MinRead))
	if _, err := data.ReadFrom(zip); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	return data.Bytes(), nil
}
