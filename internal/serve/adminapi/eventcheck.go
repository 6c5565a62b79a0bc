package adminapi

import (
	"fmt"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

// eventBatch is how many events are read at once.
const eventBatch = 200

// checkEvents recomputes the organization's chain, some events at a time, and compares its end with what the
// organization keeps (D8). It takes as long as the log is long, so it runs without the limit of other answers.
func (a *api) checkEvents(c *call) (response, error) {
	c.unbound() // a long log takes as long as its caller waits
	var chain chainCheck
	for chain.problem == "" {
		list, err := a.Store.ListEvents(c.ctx(), c.org(), chain.last, eventBatch)
		if err != nil {
			return response{}, err
		}
		for _, e := range list {
			chain.add(e)
		}
		if len(list) > 0 {
			continue
		}
		end, hash, err := a.Store.EndOfEvents(c.ctx(), c.org())
		if err != nil {
			return response{}, err
		}
		if end > chain.last && !chain.again {
			chain.again = true // an event came meanwhile, or some are missing: a second look decides
			continue
		}
		chain.end(end, hash)
		break
	}
	out := client.EventCheck{Events: chain.count, Intact: chain.problem == "", Problem: orNull(chain.problem),
		Hash: chain.hash}
	return response{status: http.StatusOK, body: out, untagged: true}, nil
}

// chainCheck follows a chain from its first event.
type chainCheck struct {
	count   int64  // events that are as they were written, in their place
	last    int64  // number of the last of them
	hash    string // of the last of them
	again   bool   // whether the end was looked at once
	problem string // "" = none so far
}

func (k *chainCheck) add(e event.Event) {
	switch {
	case k.problem != "":
	case e.Sequence != k.last+1:
		k.problem = fmt.Sprintf("Event %d is missing.", k.last+1)
	case e.PrevHash != k.hash:
		k.problem = fmt.Sprintf("Event %d does not follow the event before it.", e.Sequence)
	case !e.Verify():
		k.problem = fmt.Sprintf("Event %d was modified.", e.Sequence)
	default:
		k.count, k.last, k.hash, k.again = k.count+1, e.Sequence, e.Hash, false
	}
}

// end compares the chain with the number and hash of the newest event as the organization keeps them.
func (k *chainCheck) end(sequence int64, hash string) {
	switch {
	case k.last < sequence:
		k.problem = fmt.Sprintf("Event %d is missing: the log should continue to event %d.", k.last+1, sequence)
	case k.last > sequence:
		k.problem = fmt.Sprintf("Event %d was not added by this server.", sequence+1)
	case k.hash != hash:
		k.problem = fmt.Sprintf("Event %d is not the last one that was written.", k.last)
	}
}
