package git

import "context"

// CopyTo creates a bare repository at dst, an absolute path that does not exist, with every reference of this one
// and all reachable objects. The copy is consistent: a concurrent push is either in it completely or not at all.
// Its references are in one file.
func (r Repo) CopyTo(ctx context.Context, dst string) error {
	return r.work(ctx, "", func(ctx context.Context, j *job) error {
		from, err := j.objects(ctx)
		if err != nil {
			return err
		}
		if _, err := j.output(ctx, nil, "init", "--quiet", "--bare", "--template=", "--initial-branch="+Main,
			"--object-format="+from.format, "--", dst); err != nil {
			return err
		}
		m := &mirror{path: dst}
		if _, err := j.output(ctx, m, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--",
			r.path, "+refs/*:refs/*"); err != nil {
			return err
		}
		_, err = j.output(ctx, m, "pack-refs", "--all")
		return err
	})
}
