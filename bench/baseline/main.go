// Command baseline does the minimum work of any export, as a lower bound for comparisons: it writes the same number
// of files of the same sizes, or packs the same bytes. It renders nothing. It is a separate program so that it can be
// measured like an export.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/site/output"
)

func main() {
	like := flag.String("like", "", "`folder` with the files to imitate")
	write := flag.String("write", "", "write files of the same names and sizes to this new `folder`")
	pack := flag.String("pack", "", "pack the files into this single `file`, as an archive would")
	flag.Parse()
	if err := run(*like, *write, *pack); err != nil {
		fmt.Fprintln(os.Stderr, "baseline:", err)
		os.Exit(1)
	}
}

func run(like, write, pack string) error {
	files, err := list(like)
	if err != nil {
		return err
	}
	if write != "" {
		return writeAll(write, files)
	}
	out, err := os.Create(pack)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(out, 1<<16)
	err = packAll(like, files, buf)
	// an export also syncs its archive to disk
	return errors.Join(err, buf.Flush(), out.Sync(), out.Close())
}

// file is a path relative to the folder, with the system's separators, and a size.
type file struct {
	name string
	size int64
}

func list(dir string) ([]file, error) {
	var out []file
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, name)
		out = append(out, file{below, info.Size()})
		return err
	})
	return out, err
}

// onAllCores calls work for every file in parallel, and returns the errors.
func onAllCores(files []file, work func(file) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for i := range errs {
		wg.Go(func() {
			for errs[i] == nil {
				at := int(next.Add(1)) - 1
				if at >= len(files) {
					return
				}
				errs[i] = work(files[at])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// writeAll writes bytes that are already in memory, the same ones for each file.
func writeAll(dir string, files []file) error {
	var most int64
	made := map[string]bool{}
	for _, f := range files {
		most = max(most, f.size)
		if d := filepath.Dir(f.name); !made[d] {
			made[d] = true
			if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
				return err
			}
		}
	}
	data := make([]byte, most)
	return onAllCores(files,
		func(f file) error { return os.WriteFile(filepath.Join(dir, f.name), data[:f.size], 0o644) })
}

// packAll reads, hashes and compresses every file, and writes the compressed data in any order.
func packAll(dir string, files []file, to *bufio.Writer) error {
	var mu sync.Mutex
	return onAllCores(files, func(f file) error {
		data, err := os.ReadFile(filepath.Join(dir, f.name))
		if err != nil {
			return err
		}
		packed := output.Pack(data, output.ContentType(f.name))
		if packed.Deflated != nil {
			data = packed.Deflated
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = to.Write(data)
		return err
	})
}
