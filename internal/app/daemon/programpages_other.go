//go:build !linux

package daemon

// releaseProgramPages does nothing: other systems account for mapped pages of the program's file differently.
func releaseProgramPages() error { return nil }
