package bundlestore

import (
	"errors"
	"fmt"
	"os"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
)

// replace writes a small file atomically and durably: readers find either the old or the new content, even after a
// power failure.
func (v *Volume) replace(name string, data []byte) error {
	f, err := os.CreateTemp(v.dir, "."+name+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	v.at(name + " written")
	if err == nil {
		err = os.Rename(f.Name(), v.path(name))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(f.Name()))
	}
	v.at(name + " replaced")
	return durable.Sync(v.dir)
}
