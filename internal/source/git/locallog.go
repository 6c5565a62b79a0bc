package git

import (
	"context"
	"io"
	"strings"
)

// logFormat prints a marker, the commit's id and its subject before its files.
const logFormat = "--format=%x01%H %s"

// Removals maps each file of the docs folder that was removed after base to the newest commit that removed it.
func (r *LocalRepo) Removals(ctx context.Context, base string) (map[string]Commit, error) {
	out := map[string]Commit{}
	err := r.log(ctx, func(c Commit, file string) bool {
		if _, known := out[file]; !known {
			out[file] = c
		}
		return true
	}, "--diff-filter=D", base+"..HEAD", "--", ".")
	return out, err
}

// Mentions returns the newest commit after base that added or removed a text in one of the files; ok reports
// whether there is one.
func (r *LocalRepo) Mentions(ctx context.Context, base, text string, files ...string) (c Commit, ok bool, err error) {
	args := append([]string{"-S" + text, "-n", "1", base + "..HEAD", "--"}, files...)
	err = r.log(ctx, func(found Commit, _ string) bool {
		c, ok = found, true
		return true
	}, args...)
	return c, ok, err
}

// log calls use for each commit and each of its files in the docs folder, newest first, until use returns false.
func (r *LocalRepo) log(ctx context.Context, use func(Commit, string) bool, args ...string) error {
	return r.read(ctx, func(stdout io.Reader) error {
		var at Commit
		skip := false
		parts := pieces(stdout)
		for parts.Scan() {
			text := strings.TrimPrefix(parts.Text(), "\n")
			if head, ok := strings.CutPrefix(text, "\x01"); ok {
				at.ID, at.Subject, _ = strings.Cut(head, " ")
				continue
			}
			if text != "" && !skip {
				skip = !use(at, text)
			}
		}
		return parts.Err()
	}, append([]string{"log", "-m", "--first-parent", "--no-show-signature", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--name-only", "-z", "--relative", logFormat}, args...)...)
}
