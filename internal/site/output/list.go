package output

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Labels holds the caller's metadata about a tree. It is not part of the tree's digest.
type Labels struct {
	Tool, Version, Commit string
	Pages                 int                // number of pages among the files
	Features              []string           // features of the tree, such as "search", in any order
	Groups                []string           // groups whose readers may access the tree; sorted
	Signer                ed25519.PrivateKey // signs the list; nil = unsigned
}

// WriteManifest writes the manifest, which lists every other file of the tree with its digest, and its signature if
// there is a signer. Nothing may be written after it.
func (l *Ledger) WriteManifest(ctx context.Context, labels Labels) error {
	f := File{Path: ManifestPath, ContentType: ContentType(ManifestPath)}
	if err := l.encodeManifest(&f, labels); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if err := l.Put(ctx, f); err != nil || labels.Signer == nil {
		return err
	}
	data, err := f.Bytes()
	if err != nil {
		return fmt.Errorf("sign manifest: %w", err)
	}
	return l.Put(ctx, File{Path: SignaturePath, ContentType: "text/plain; charset=utf-8",
		Data: sign(data, labels.Signer)})
}

// plainManifest is the maximum number of files whose manifest is kept in memory as plain text, at about 150 bytes per
// file.
const plainManifest = 100_000

// encodeManifest sets the content of the manifest. The content is plain text for outputs that take plain files. If the
// tree is so large that only compressed text should be in memory, it is packed.
func (l *Ledger) encodeManifest(f *File, labels Labels) error {
	if !l.packs && l.records.count <= plainManifest {
		var plain bytes.Buffer
		plain.Grow(150 * l.records.count)
		err := l.list(&plain, labels)
		f.Data = plain.Bytes()
		f.Packed = Digested(f.Data)
		return err
	}
	p := NewPacker() // streams, so that memory holds neither the whole JSON nor a second list of files
	err := l.list(p, labels)
	f.Packed = p.Close()
	return err
}

// list writes the manifest as JSON, one file per line.
func (l *Ledger) list(to io.Writer, labels Labels) error {
	sum, err := l.TreeHash()
	if err != nil {
		return err
	}
	features := slices.Compact(slices.Sorted(slices.Values(labels.Features)))
	head, err := json.MarshalIndent(Manifest{
		Format: ManifestFormat, Tool: labels.Tool, Version: labels.Version, Commit: labels.Commit,
		Pages: labels.Pages, Features: append([]string{}, features...), Groups: labels.Groups, TreeHash: sum,
		Files: []ManifestFile{},
	}, "", " ")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<16)
	_, _ = w.Write(head[:len(head)-len("]\n}")]) // the list of files is still empty; Flush returns errors
	line, before := []byte(nil), "\n  "
	if err := l.records.each(func(r record) {
		line = l.line(append(line[:0], before...), r)
		_, _ = w.Write(line)
		before = ",\n  "
	}); err != nil {
		return err
	}
	_, _ = w.WriteString("\n ]\n}\n")
	return w.Flush()
}

// line appends the line for a file.
func (l *Ledger) line(out []byte, r record) []byte {
	out = appendText(append(out, `{"path": `...), r.path)
	out = strconv.AppendInt(append(out, `, "size": `...), r.size, 10)
	out = hex.AppendEncode(append(out, `, "sha256": "`...), r.sha256[:])
	out = appendText(append(out, `", "type": `...), []byte(l.records.types[r.kind]))
	return append(out, '}')
}

// appendText appends a JSON string. Most strings need no escapes.
func appendText(out, text []byte) []byte {
	if slices.ContainsFunc(text, func(c byte) bool {
		return c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&'
	}) {
		quoted, err := json.Marshal(string(text))
		if err != nil { // unreachable: strings always marshal
			panic(fmt.Sprintf("encode text: %v", err))
		}
		return append(out, quoted...)
	}
	return append(append(append(out, '"'), text...), '"')
}
