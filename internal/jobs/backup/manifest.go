package backup

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Format is the archive format version that this program writes, and the newest that it reads.
const Format = 1

// Names in an archive.
const (
	headName     = "backup.json"
	manifestName = "manifest.json"
	databaseName = "lectern.db"
	secretName   = "secret.key"
	hostsName    = "git/known_hosts"
	blobFolder   = "blobs/"
	repoFolder   = "proposals/"
)

// Limits for archives that we read. The archives that we write stay far below them.
const (
	maxHead     = 64 << 10  // bytes
	maxManifest = 256 << 20 // bytes
	maxFiles    = 1_000_000
)

// Head describes a backup. It is the archive's first file.
type Head struct {
	Format int       `json:"format"`
	Tool   string    `json:"lectern"` // version of the program that made the backup
	Schema int64     `json:"schema"`  // of the database
	MadeAt time.Time `json:"madeAt"`
	Secret bool      `json:"secret"` // whether the secret key is included
}

// File is one file of a backup.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // lower-case hex
}

// Manifest is the archive's last file; without it the backup is incomplete.
type Manifest struct {
	Head
	Files []File `json:"files"`
}

// Bytes returns the total size of all files.
func (m Manifest) Bytes() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// ParseHead parses a backup's first file and rejects formats that this program does not understand.
func ParseHead(data []byte) (Head, error) {
	var h Head
	if len(data) > maxHead || json.Unmarshal(data, &h) != nil || h.Format < 1 || h.Schema < 0 {
		return h, notBackup(nil)
	}
	if h.Format > Format {
		return h, fault.Newf(fault.Conflict, "newer_backup",
			"The backup has format %d; this version of Lectern reads up to %d.", h.Format, Format).
			WithHint("It was created by Lectern " + printable(h.Tool) +
				"; restore it with that version or a newer one.")
	}
	if h.Schema > store.NewestSchema() {
		return h, store.NewerSchema(h.Schema)
	}
	return h, nil
}

// ParseManifest parses a backup's last file.
func ParseManifest(data []byte) (Manifest, error) {
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&m); err != nil {
		return m, damaged("its list of files cannot be read", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, damaged("there is data after its list of files", err)
	}
	seen := make(map[string]bool, len(m.Files))
	for _, f := range m.Files {
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || f.Size < 0 || seen[f.Path] ||
			!allowed(f.Path) {
			return m, damaged(fmt.Sprintf("its list of files has a bad entry, %q", f.Path), nil)
		}
		seen[f.Path] = true
	}
	if !seen[databaseName] || seen[secretName] != m.Secret {
		return m, damaged("its list of files does not match its header", nil)
	}
	return m, nil
}

// repoFile matches the only files allowed in a copied repository: no hooks and no links to objects elsewhere.
var repoFile = lazyregexp.New(
	`^prj_[A-Za-z0-9]{1,64}\.git/(HEAD|config|packed-refs|shallow|objects/pack/pack-[0-9a-f]{40,64}\.(pack|idx|rev)|objects/[0-9a-f]{2}/[0-9a-f]{38,62})$`)

// allowed reports whether a backup may contain a file with that name.
func allowed(name string) bool {
	switch name {
	case databaseName, secretName, hostsName:
		return true
	}
	if key, ok := strings.CutPrefix(name, blobFolder); ok {
		return blob.ValidKey(key)
	}
	repo, ok := strings.CutPrefix(name, repoFolder)
	return ok && repoFile.MatchString(repo)
}

// plainConfig matches every line allowed in the settings of a repository; other settings can make git run programs.
var plainConfig = lazyregexp.New(
	`^(?:\[core\]|\[extensions\]|\trepositoryformatversion = [01]|\tfilemode = (?:true|false)|\tbare = true|\tignorecase = (?:true|false)|\tprecomposeunicode = (?:true|false)|\tobjectformat = sha(?:1|256)|)$`)

// checkConfig rejects repository settings that we would not have written.
func checkConfig(text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		if !plainConfig.MatchString(line) {
			return damaged("a repository in it has unexpected settings", nil)
		}
	}
	return nil
}

func notBackup(cause error) error {
	return fault.New(fault.Invalid, "not_a_backup", "The file is not a Lectern backup.").WithField("file").
		WithCause(cause)
}

func damaged(what string, cause error) error {
	return fault.Newf(fault.Invalid, "damaged_backup", "The backup is damaged or truncated: %s.", what).
		WithField("file").
		WithHint("Use another copy, or an older backup.").WithCause(cause)
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s[:min(len(s), 80)])
}
