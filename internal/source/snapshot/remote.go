package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// remoteDir contains the API descriptions fetched from other hosts. A later export of the snapshot uses the same
// descriptions, and an update falls back to them when a host returns something unusable.
const (
	remoteDir   = ".lectern/remote"
	remoteIndex = remoteDir + "/index.json"
)

// maxRemote limits the size of each file there, in bytes.
const maxRemote = 32 << 20

// remoteCopy is an entry of the index.
type remoteCopy struct {
	URL       string    `json:"url"`
	SHA256    string    `json:"sha256"` // in hex; also the file name
	FetchedAt time.Time `json:"fetchedAt"`
}

// remoteFiles returns the files with the descriptions, by name.
func remoteFiles(copies []openapi.Copy) (map[string][]byte, error) {
	files := map[string][]byte{}
	index := make([]remoteCopy, 0, len(copies))
	for _, c := range copies {
		sum := sha256.Sum256(c.Data)
		index = append(index, remoteCopy{URL: c.URL, SHA256: hex.EncodeToString(sum[:]), FetchedAt: c.At.UTC()})
		files[path.Join(remoteDir, index[len(index)-1].SHA256)] = c.Data
	}
	data, err := json.Marshal(index)
	if err != nil {
		return nil, fmt.Errorf("store API descriptions: %w", err)
	}
	files[remoteIndex] = data
	return files, nil
}

// reserved reports whether a file of a source is left out, because Lectern has a file or folder with that name.
func reserved(file string) bool {
	return file == path.Dir(remoteDir) || below(file, datesFile) || below(file, remoteDir)
}

// below reports whether file is at or below a path.
func below(file, path string) bool { return file == path || strings.HasPrefix(file, path+"/") }

// Remote returns the descriptions of a snapshot by address. They are nil in snapshots of earlier releases, which
// did not store any; a damaged copy is an error.
func Remote(src fs.FS) (map[string]openapi.Copy, error) {
	data, err := safefile.Read(src, remoteIndex, maxRemote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var index []remoteCopy
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		return nil, fmt.Errorf("read stored API descriptions: %w", err)
	}
	out := make(map[string]openapi.Copy, len(index))
	for _, c := range index {
		data, err := safefile.Read(src, path.Join(remoteDir, path.Base(c.SHA256)), maxRemote)
		if err != nil {
			return nil, fmt.Errorf("read stored API description: %w", err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != c.SHA256 {
			return nil, fmt.Errorf("read stored API description: content does not match %s", c.SHA256)
		}
		out[c.URL] = openapi.Copy{URL: c.URL, Data: data, At: c.FetchedAt}
	}
	return out, nil
}

// Replay returns a Fetch that serves only stored descriptions, without network access. If copies is nil, Replay returns
// otherwise.
func Replay(copies map[string]openapi.Copy, otherwise openapi.Fetch) openapi.Fetch {
	if copies == nil {
		return otherwise
	}
	return func(_ context.Context, url string) ([]byte, error) {
		c, ok := copies[url]
		if !ok {
			return nil, errors.New("no copy was stored with the published source")
		}
		return c.Data, nil
	}
}
