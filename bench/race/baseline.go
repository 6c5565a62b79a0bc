package race

import (
	"context"
	"fmt"
	"os"
)

// baselines measures the minimum cost of an export of these files: writing them to a folder, and packing them into an
// archive.
func (o *ours) baselines(ctx context.Context, show func(figure)) error {
	like, to := o.out("dir"), o.dir+"-baseline"
	for _, kind := range []struct {
		name string
		flag string
	}{
		{"baseline: write files of these sizes", "-write"},
		{"baseline: digest and deflate the same bytes", "-pack"},
	} {
		var runs []*took
		for spent := 0.0; len(runs) < o.rounds && spent < long; {
			if err := os.RemoveAll(to); err != nil {
				return err
			}
			t, err := o.lab.run(ctx,
				command{dir: o.lab.work, args: []string{o.lab.baseline, "-like", like, kind.flag, to}})
			if err != nil {
				return err
			}
			if why := o.lab.why(t); why != "" {
				return fmt.Errorf("%s: %s", kind.name, why)
			}
			runs = append(runs, t)
			spent += t.Wall
		}
		f := best(kind.name, runs)
		size, err := measureOutput(to, "")
		if err != nil {
			return err
		}
		f.files, f.bytes = size.files, size.bytes
		show(f)
	}
	return os.RemoveAll(to)
}
