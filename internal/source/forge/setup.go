package forge

import (
	"slices"
	"strings"
)

// WebhookSetup describes how a person adds a project's webhook at a code host.
type WebhookSetup struct {
	Kind        Kind
	Name, Where string
	Set         string // a sentence about the fields of the form
}

// WebhookSetups returns the instructions for every code host that sends webhooks.
func WebhookSetups() (out []WebhookSetup) {
	for _, d := range drivers {
		if d.setup.Name != "" {
			d.setup.Kind = d.kind
			out = append(out, d.setup)
		}
	}
	slices.SortFunc(out, func(a, b WebhookSetup) int { return strings.Compare(a.Name, b.Name) })
	return out
}
