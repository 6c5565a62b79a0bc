package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Import is a folder's content to import into one of the server's own repositories.
type Import struct {
	Files      fs.FS  // regular files; names reserved by git are skipped
	Folder     string // target folder in the repository; all its other content is removed
	Message    string
	When       time.Time
	KeepMerged bool // leave the branch unchanged while its last commit is a merge
}

// importTries is how often an import is tried when other pushes are faster.
const importTries = 5

// Import makes the files the content of the branch main, with a new commit only if they differ, and returns the
// branch's commit.
func (r Repo) Import(ctx context.Context, in Import) (commit string, err error) {
	for range importTries {
		err = r.withWorkRepo(ctx, in.Folder, func(ctx context.Context, b *workRepo) (err error) {
			commit, err = b.bringIn(ctx, in)
			return err
		})
		if !fault.HasCode(err, "branch_moved") {
			break
		}
	}
	if err != nil {
		return "", err
	}
	return commit, nil
}

func (b *workRepo) bringIn(ctx context.Context, in Import) (string, error) {
	parent, found, err := b.j.tip(ctx, Main)
	if err != nil {
		return "", err
	}
	if found && in.KeepMerged {
		if merged, err := b.exists(ctx, parent+"^2"); err != nil || merged {
			return parent, err
		}
	}
	folder, err := cleanFolder(in.Folder)
	if err != nil {
		return "", err
	}
	// The commit depends only on its message and content, so if it is not used, it can be created again.
	stream, feed := io.Pipe()
	go func() { feed.CloseWithError(writeImport(ctx, feed, in, folder, parent)) }()
	_, err = b.run(ctx, nil, stream, "fast-import", "--quiet", "--done", "--date-format=raw-permissive")
	_ = stream.Close() // stops the writer if git exits first
	if err != nil {
		return "", err
	}
	commit, err := b.resolve(ctx, importRef)
	if err != nil {
		return "", err
	}
	if found {
		before, err := b.resolve(ctx, parent+"^{tree}")
		if err != nil {
			return "", err
		}
		if after, err := b.resolve(ctx, commit+"^{tree}"); err != nil || after == before {
			return parent, err
		}
	}
	return commit, b.push(ctx, commit, parent, Main, parent)
}

const importRef = "refs/lectern/import"

// writeImport writes the input of git fast-import:
//
//	commit REF, committer …, data MESSAGE, [from PARENT], deleteall, { M 100644 inline PATH, data CONTENT }, done
func writeImport(ctx context.Context, out io.Writer, in Import, folder, parent string) error {
	w := bufio.NewWriterSize(out, 64<<10)
	message := plainMessage(in.Message)
	fmt.Fprintf(w, "commit %s\ncommitter Lectern <%s> %s\ndata %d\n%s", importRef, noAddress,
		strings.TrimPrefix(rawTime(in.When), "@"), len(message), message)
	if parent != "" {
		fmt.Fprintf(w, "from %s\n", parent)
	}
	fmt.Fprint(w, "deleteall\n")
	err := fs.WalkDir(in.Files, ".", func(p string, d fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if d.IsDir() || !d.Type().IsRegular() || checkChange(p) != nil {
			return nil
		}
		return writeImportFile(w, in.Files, p, path.Join(folder, p))
	})
	if err != nil {
		return fmt.Errorf("read files: %w", err)
	}
	fmt.Fprint(w, "done\n")
	return w.Flush()
}

func writeImportFile(w *bufio.Writer, files fs.FS, from, to string) error {
	f, err := files.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(to)
	fmt.Fprintf(w, "M %s inline \"%s\"\ndata %d\n", modeFile, quoted, info.Size())
	if _, err := io.CopyN(w, f, info.Size()); err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	return w.WriteByte('\n')
}

// resolve returns the object id of an expression, which must not contain untrusted text.
func (b *workRepo) resolve(ctx context.Context, expression string) (string, error) {
	out, err := b.run(ctx, nil, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", expression)
	if err != nil {
		return "", err
	}
	return b.id(out)
}

// exists reports whether an expression names an object.
func (b *workRepo) exists(ctx context.Context, expression string) (bool, error) {
	_, err := b.resolve(ctx, expression)
	if err != nil && exitCode(err) == 1 && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}
