package debian

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// Content is the content of a package: its control file and its files.
type Content struct {
	Control string
	Files   []tree.File
}

// Unpack reads a package. Hard links become copies; owners become root; set-user-id bits are removed. Devices are
// errors.
func Unpack(deb []byte) (Content, error) {
	members, err := Members(deb)
	if err != nil {
		return Content{}, err
	}
	var c Content
	for _, m := range members {
		if !strings.HasPrefix(m.Name, "control.tar") && !strings.HasPrefix(m.Name, "data.tar") {
			continue
		}
		files, err := untar(m)
		if err != nil {
			return Content{}, fmt.Errorf("unpack %s: %w", m.Name, err)
		}
		if strings.HasPrefix(m.Name, "data.tar") {
			c.Files = files
			continue
		}
		for _, f := range files {
			if f.Name == "control" {
				c.Control = string(f.Body)
			}
		}
	}
	if c.Control == "" || c.Files == nil {
		return Content{}, errors.New("unpack package: it has no control file or no files")
	}
	return c, nil
}

// Member is a file of an ar archive.
type Member struct {
	Name string
	Body []byte
}

// Members parses an ar archive:
//
//	archive = "!<arch>\n" { header body [ "\n" ] }
//	header  = name:16 time:12 owner:6 group:6 mode:8 size:10 "`\n"
func Members(b []byte) ([]Member, error) {
	const magic, header = "!<arch>\n", 60
	rest, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok {
		return nil, errors.New("read package: not an ar archive")
	}
	var out []Member
	for len(rest) > 0 {
		if len(rest) < header || string(rest[58:60]) != "`\n" {
			return nil, errors.New("read package: a header is damaged")
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || size > len(rest)-header {
			return nil, errors.New("read package: a header has an invalid size")
		}
		out = append(out, Member{Name: strings.TrimSuffix(strings.TrimSpace(string(rest[:16])), "/"),
			Body: rest[header : header+size]})
		rest = rest[header+size:]
		if size%2 == 1 && len(rest) > 0 {
			rest = rest[1:]
		}
	}
	return out, nil
}

func untar(m Member) ([]tree.File, error) {
	var r io.Reader = bytes.NewReader(m.Body)
	var err error
	switch path.Ext(m.Name) {
	case ".xz":
		r, err = xz.NewReader(r)
	case ".gz":
		r, err = gzip.NewReader(r)
	case ".tar":
	default:
		err = fmt.Errorf("unknown compression %s", path.Ext(m.Name))
	}
	if err != nil {
		return nil, err
	}
	files, bodies := []tree.File{}, map[string][]byte{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		f, err := fileOf(h, tr, bodies)
		if err != nil {
			return nil, err
		}
		if f.Name != "." {
			files = append(files, f)
		}
	}
}

func fileOf(h *tar.Header, body io.Reader, bodies map[string][]byte) (tree.File, error) {
	f := tree.File{Name: path.Clean(strings.TrimPrefix(h.Name, "./")), Mode: fs.FileMode(h.Mode) & 0o777}
	if path.IsAbs(f.Name) || strings.HasPrefix(f.Name, "..") {
		return f, fmt.Errorf("%q leads out of the package", h.Name)
	}
	switch h.Typeflag {
	case tar.TypeDir:
		f.Mode |= fs.ModeDir
	case tar.TypeSymlink:
		f.Link = h.Linkname
	case tar.TypeLink:
		was, ok := bodies[path.Clean(strings.TrimPrefix(h.Linkname, "./"))]
		if !ok {
			return f, fmt.Errorf("%s is a link to a missing file", h.Name)
		}
		f.Body = was
	case tar.TypeReg:
		b, err := io.ReadAll(body)
		if err != nil {
			return f, err
		}
		f.Body, bodies[f.Name] = b, b
	default:
		return f, fmt.Errorf("%s is neither a file, a folder nor a link", h.Name)
	}
	return f, nil
}
