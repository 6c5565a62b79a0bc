package adminapi

import (
	"fmt"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

// eventBatch is the number of events read at once.
const eventBatch = 200

// checkEvents recomputes the organization's hash chain in batches, and compares the last hash with the one stored for
// the organization (D8). The usual time limit does not apply, because the duration depends on the length of the log.
func (a *api) checkEvents(c *call) (response, error) {
	c.unbound() // the duration depends on the length of the log
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
			chain.again = true // an event was added during the check, or some are missing: a second check decides
			continue
		}
		chain.end(end, hash)
		break
	}
	out := client.EventCheck{Events: chain.count, Intact: chain.problem == "", Problem: orNull(chain.problem),
		Hash: chain.hash}
	return response{status: http.StatusOK, body: out, untagged: true}, nil
}

// chainCheck verifies a chain from its first event.
type chainCheck struct {
	count   int64  // number of valid events so far
	last    int64  // number of the last valid event
	hash    string // hash of the last valid event
	again   bool   // whether the end was already checked once
	problem string // "" = no problem so far
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

// end compares the chain with the stored number and hash of the organization's newest event.
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
