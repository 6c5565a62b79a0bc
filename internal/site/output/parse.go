package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// MaxManifest limits the size of a manifest in bytes. It is enough for some million files.
const MaxManifest = 256 << 20

// ParseManifest parses an untrusted manifest. A manifest is a single JSON object with these rules: known keys occur
// once and in exact letter case, and unknown keys are skipped; paths are valid and sorted, and no file can overwrite
// another one on any file system; sizes are not negative, digests are SHA-256 in lower-case hex, and treeHash is the
// digest of the list. Errors include the entry that they refer to.
func ParseManifest(r io.Reader) (Manifest, error) {
	limited := &io.LimitedReader{R: r, N: MaxManifest + 1}
	p := &manifestParser{json: &jsonReader{r: bufio.NewReaderSize(limited, 1<<16)}, places: NewPlaces(),
		types: map[string]string{}}
	p.m.Features, p.m.Files = []string{}, []ManifestFile{} // never nil: JSON distinguishes null from empty
	err := p.object(p.field, "format", "treeHash", "files")
	if err == nil {
		err = p.json.end()
	}
	if hash := p.m.Hash(); err == nil && hash != p.m.TreeHash {
		err = fmt.Errorf("treeHash is %q, but that of its files is %s", p.m.TreeHash, hash)
	}
	if limited.N <= 0 {
		err = fmt.Errorf("it is larger than %d bytes", MaxManifest)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read manifest: %w", err)
	}
	return p.m, nil
}

type manifestParser struct {
	json   *jsonReader
	m      Manifest
	places *Places
	types  map[string]string // interned media types
	last   ManifestFile      // the entry being read
}

// object reads a JSON object. It calls read once for each key; read must consume the value. Keys in needed are
// required.
func (p *manifestParser) object(read func(key string) error, needed ...string) error {
	var buf [8]string
	seen := buf[:0]
	err := p.json.list('{', '}', func() error {
		raw, err := p.json.text()
		if err != nil {
			return err
		}
		key := known(raw)
		if slices.Contains(seen, key) {
			return fmt.Errorf("duplicate key %q", key)
		}
		if seen = append(seen, key); len(seen) > maxKeys {
			return errors.New("an object has too many keys")
		}
		if err := p.json.want(':'); err != nil {
			return err
		}
		return read(key)
	})
	for _, key := range needed {
		if err == nil && !slices.Contains(seen, key) {
			err = fmt.Errorf("the key %q is missing", key)
		}
	}
	return err
}

// known converts a key to a string. For the keys of files, it does not allocate.
func known(key []byte) string {
	switch string(key) {
	case "path":
		return "path"
	case "size":
		return "size"
	case "sha256":
		return "sha256"
	case "type":
		return "type"
	}
	return string(key)
}

func (p *manifestParser) field(key string) (err error) {
	switch key {
	case "format":
		if p.m.Format, err = p.count(); err == nil && p.m.Format != ManifestFormat {
			err = fmt.Errorf("format %d is not supported, want %d", p.m.Format, ManifestFormat)
		}
	case "tool":
		p.m.Tool, err = p.text()
	case "version":
		p.m.Version, err = p.text()
	case "commit":
		p.m.Commit, err = p.text()
	case "pages":
		p.m.Pages, err = p.count()
	case "treeHash":
		p.m.TreeHash, err = p.text()
	case "features":
		err = p.json.list('[', ']', p.feature)
	case "groups":
		err = p.json.list('[', ']', p.group)
	case "files":
		err = p.json.list('[', ']', p.file)
	default:
		err = p.json.skip(0)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return err
}

func (p *manifestParser) text() (string, error) {
	raw, err := p.json.text()
	return string(raw), err
}

func (p *manifestParser) count() (int, error) {
	n, err := p.json.number(strconv.IntSize - 1)
	return int(n), err
}

func (p *manifestParser) feature() error {
	name, err := p.text()
	if n := len(p.m.Features); err == nil && (name == "" || n > 0 && name <= p.m.Features[n-1] || n >= maxKeys) {
		err = fmt.Errorf("%q is empty, out of order or one too many", name)
	}
	p.m.Features = append(p.m.Features, name)
	return err
}

// maxGroups limits the number of groups per view.
const maxGroups = 1000

func (p *manifestParser) group() error {
	name, err := p.text()
	if n := len(p.m.Groups); err == nil && (name == "" || n > 0 && name <= p.m.Groups[n-1] || n >= maxGroups) {
		err = fmt.Errorf("%q is empty, out of order or one too many", name)
	}
	p.m.Groups = append(p.m.Groups, name)
	return err
}

func (p *manifestParser) file() error {
	p.last = ManifestFile{}
	err := p.object(p.fileField, "path", "size", "sha256", "type")
	if err == nil {
		err = p.enter(p.last)
	}
	if err != nil {
		return fmt.Errorf("file %d (%q): %w", len(p.m.Files)+1, p.last.Path, err)
	}
	return nil
}

func (p *manifestParser) fileField(key string) (err error) {
	var raw []byte
	switch key {
	case "path":
		p.last.Path, err = p.text()
	case "size":
		p.last.Size, err = p.json.number(63)
	case "sha256":
		if raw, err = p.json.text(); err == nil {
			err = p.last.SHA256.UnmarshalText(raw)
		}
	case "type":
		if raw, err = p.json.text(); err == nil {
			p.last.Type = p.mediaType(raw)
		}
	default:
		err = p.json.skip(0)
	}
	return err
}

// mediaType returns a media type as an interned string.
func (p *manifestParser) mediaType(raw []byte) string {
	t, ok := p.types[string(raw)]
	if !ok {
		if t = string(raw); len(p.types) < 1<<10 {
			p.types[t] = t
		}
	}
	return t
}

// enter adds a file to the list.
func (p *manifestParser) enter(f ManifestFile) error {
	n := len(p.m.Files)
	switch {
	case !ValidPath(f.Path):
		return errors.New("its path is not valid")
	case f.Path == ManifestPath, f.Path == SignaturePath:
		return errors.New("the list cannot hold itself or its signature")
	case n > 0 && f.Path <= p.m.Files[n-1].Path:
		return errors.New("it is out of order or a duplicate")
	case !p.places.Free(f.Path):
		return errors.New("its path is taken by another file, at least on case-insensitive file systems")
	}
	p.places.Enter(f.Path)
	p.m.Files = append(p.m.Files, f)
	return nil
}
