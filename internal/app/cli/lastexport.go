package cli

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// This file lets an export end early if the output of the last one is still up to date: the same folder, program and
// flags. Decision 74 explains why this is safe.

// pastExport is the data cached by earlier exports of a folder, and the data that this one will cache.
type pastExport struct {
	cache   caching
	src     fs.FS // the docs folder
	strayed atomic.Bool
	listed  listedFolders
	source  stamps // of the docs folder
	output  stamps
	whole   bool            // the output is unchanged since the last export
	state   localdir.State  // of the docs folder before it is built; zero = unknown
	key     fingerprint.Sum // cache key of this export; zero = do not cache it

	examining sync.WaitGroup
	after     localdir.State // of the docs folder after it was built, valid after examining
	afterErr  error          // likewise
}

// exportRecord is the last export as stored in the cache.
type exportRecord struct {
	Result exportResult
	Output fingerprint.Sum // key of the record with the output's stamps
}

// openPast scans the docs folder and the output of the last export, and derives the version unless --label sets it.
func (c *exportCommand) openPast(ctx context.Context, r *run, src fs.FS, cache caching) (*pastExport, error) {
	p := &pastExport{cache: cache, source: cache.stamps(r, c.Dir), output: cache.stamps(r, c.Out)}
	p.src = examinedFS{src, &p.strayed, &p.listed}
	var checked sync.WaitGroup // both scans mostly wait for the file system
	checked.Go(func() { p.whole = p.checkOutput(c) })
	defer checked.Wait()
	if p.source.Index == nil && c.Label != "" {
		return p, nil
	}
	var err error
	p.listed.start()
	p.state, err = p.examine(ctx)
	p.listed.stop()
	if err != nil {
		return nil, fmt.Errorf("derive a version from the folder's files (or set --label): %w", err)
	}
	if c.Label == "" {
		c.label(p.state.Name)
	}
	return p, nil
}

// checkOutput looks for changes to the output since the last export.
func (p *pastExport) checkOutput(c *exportCommand) (whole bool) {
	folder := c.Out
	if c.Format != "dir" {
		folder = filepath.Dir(c.Out)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	return p.output.Check(root)
}

// maxLabelFiles limits the number of files, since links to folders can multiply them.
const maxLabelFiles = 1 << 20

func (p *pastExport) examine(ctx context.Context) (localdir.State, error) {
	return localdir.Examine(ctx, p.src,
		sourcetree.Limits{Files: maxLabelFiles, Bytes: math.MaxInt64, FileBytes: math.MaxInt64}, p.source.Index)
}

// find returns the result of the last export if this one would write the same files and the output is unchanged.
func (p *pastExport) find(c *exportCommand, opt build.Options, dates git.Dates) (result exportResult, ok bool) {
	if p.source.Index == nil || p.state.Linked || opt.Fetch != nil {
		return result, false
	}
	p.key = c.key(p.state, opt, dates)
	data, ok := p.cache.session.Get(p.key)
	var last exportRecord
	if !ok || json.Unmarshal(data, &last) != nil || !p.whole || last.Output != fingerprint.Of(p.output.record) {
		return result, false
	}
	return last.Result, true
}

// key returns a digest of everything that affects the output and the report of an export.
func (c *exportCommand) key(state localdir.State, opt build.Options, dates git.Dates) fingerprint.Sum {
	var signer []byte
	if opt.Signer != nil {
		signer, _ = opt.Signer.Public().(ed25519.PublicKey)
	}
	changed := make([]any, 0, 2*len(dates))
	for _, file := range slices.Sorted(maps.Keys(dates)) {
		changed = append(changed, file, dates[file].UnixNano())
	}
	return fingerprint.Of("export", opt.Program, opt.Tool, state.Digest, c.Out, c.Format, opt.Version, opt.BaseURL,
		opt.View.Key(), opt.Paths, opt.ResponsiveImages, opt.Scripts.Off, opt.Now.Unix(), opt.Repository, signer,
		fingerprint.Of(changed...))
}

// examineAgain examines the docs folder in the background, while the build writes its last files.
func (p *pastExport) examineAgain(ctx context.Context) {
	if p.source.Index == nil {
		return
	}
	p.listed.forget()
	p.examining.Go(func() { p.after, p.afterErr = p.examine(ctx) })
}

// store caches the result of a finished export, unless the docs folder changed during the export.
func (p *pastExport) store(to target, result exportResult) {
	if p.source.Index == nil {
		return
	}
	placed := p.source.Now()
	p.examining.Wait()
	p.source.keep()
	err := p.afterErr
	if p.output.Index != nil {
		time.Sleep(filestamp.Settle - p.source.Now().Sub(placed))
		err = errors.Join(err, to.stamp(p.output.Index, p.output.Now()))
	}
	record := exportRecord{Result: result, Output: p.output.keep()}
	if err != nil || p.key == (fingerprint.Sum{}) || p.strayed.Load() || p.after.Digest != p.state.Digest {
		return
	}
	if data, err := json.Marshal(record); err == nil {
		p.cache.session.Put(p.key, data)
	}
}
