package cli

import (
	"fmt"
	"runtime"
)

type versionCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

func (c *versionCommand) Run(r *run) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if c.JSON {
		return printJSON(r.Stdout, struct {
			Version  string `json:"version"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}{r.Version, runtime.Version(), platform})
	}
	_, err := fmt.Fprintf(r.Stdout, "lectern %s (%s, %s)\n", r.Version, runtime.Version(), platform)
	return err
}
