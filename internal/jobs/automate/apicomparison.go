package automate

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/site/apichange"
)

// apiComparison collects the differences between API descriptions that affect clients.
type apiComparison struct {
	compared []string // descriptions that were compared
	broken   []string // descriptions that could not be read
	text     strings.Builder
}

// add compares two versions of a file, unless neither is an API description. heading is the file's name in the text for
// the agent.
func (c *apiComparison) add(name, heading string, before, after loaded) {
	switch {
	case !before.described && !after.described:
	case before.spec == nil || after.spec == nil:
		// An unreadable version is not compared. If it counted as empty, everything would seem to have been removed.
		c.broken = append(c.broken, name)
	default:
		c.note(name, heading, apichange.Markdown(apichange.Specs(before.spec, after.spec)))
	}
}

// note adds a compared description; changes is "" if nothing changed for clients.
func (c *apiComparison) note(name, heading, changes string) {
	c.compared = append(c.compared, name)
	if changes != "" {
		fmt.Fprintf(&c.text, "%s:\n\n%s\n", heading, changes)
	}
}

func (c *apiComparison) any() bool { return len(c.compared)+len(c.broken) > 0 }

func (c *apiComparison) full() bool { return len(c.compared)+len(c.broken) >= maxDescriptions }

// request completes a request with the differences, or with the reason why there is nothing to do. between describes
// the two versions.
func (c *apiComparison) request(ask Request, between string) Request {
	if len(c.broken) > 0 {
		ask.Nothing = clip.Runes(strings.Join(c.broken, ", "), maxNames) + " cannot be read, before or after the change."
	}
	switch ask.Given = clip.Bytes(c.text.String(), maxPatch); {
	case ask.Given != "":
		ask.Given = "Changes of API descriptions " + between + ":\n\n" + ask.Given
		ask.Why, ask.Nothing = strings.TrimSpace(ask.Why+" "+ask.Nothing), ""
	case len(c.compared) > 0:
		ask.Nothing = strings.TrimSpace("Nothing changed for clients in " +
			clip.Runes(strings.Join(c.compared, ", "), maxNames) + ". " + ask.Nothing)
	}
	return ask
}
