package kubenode

import (
	"errors"
	"os"
	"path/filepath"
)

// kernelSettings lists the settings below /proc/sys that a kubelet changes when it starts. They are not part of any
// namespace.
var kernelSettings = []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
	"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes"}

// keepKernelSettings reads the settings and returns a function that restores them.
func keepKernelSettings() (restore func() error, err error) {
	values := map[string][]byte{}
	for _, name := range kernelSettings {
		file := filepath.Join("/proc/sys", name)
		if values[file], err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	return func() error {
		var err error
		for file, value := range values {
			err = errors.Join(err, os.WriteFile(file, value, 0o644))
		}
		return err
	}, nil
}
