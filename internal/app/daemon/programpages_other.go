//go:build !linux

package daemon

// releaseProgramPages does nothing: other systems do not count pages of the program's file as this process's memory in
// the same way.
func releaseProgramPages() error { return nil }
