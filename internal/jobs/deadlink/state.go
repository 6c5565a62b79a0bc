package deadlink

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// keyPrefix is the prefix of stored states, each named after its project's id.
const keyPrefix = "links/"

// state holds the known results for a site's links.
type state struct {
	Checked time.Time       `json:"checked"`
	Dead    map[string]Link `json:"dead"` // by URL
}

// load reads the states of live projects and removes the states of other projects.
func (w *Watch) load(ctx context.Context, live []store.LiveProject) (map[string]state, error) {
	out := map[string]state{}
	for _, p := range live {
		out[p.ID] = state{}
	}
	var keys []string
	if err := w.Blob.List(ctx, keyPrefix, func(i blob.Info) error { keys = append(keys, i.Key); return nil }); err != nil {
		return nil, fmt.Errorf("list link states: %w", err)
	}
	for _, key := range keys {
		id := strings.TrimSuffix(strings.TrimPrefix(key, keyPrefix), ".json")
		if _, ok := out[id]; !ok {
			if err := w.Blob.Delete(ctx, key); err != nil {
				return nil, fmt.Errorf("delete link state: %w", err)
			}
			continue
		}
		s, err := w.read(ctx, key)
		if err != nil {
			return nil, err
		}
		out[id] = s
	}
	return out, nil
}

// read returns a stored state, or the zero state if it is damaged or was removed by another process.
func (w *Watch) read(ctx context.Context, key string) (s state, err error) {
	r, _, err := w.Blob.Open(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("open link state: %w", err)
	}
	defer func() { _ = r.Close() }() // read only
	raw, err := io.ReadAll(r)
	if err != nil {
		return s, fmt.Errorf("read link state: %w", err)
	}
	if json.Unmarshal(raw, &s) != nil {
		return state{}, nil
	}
	return s, nil
}

// write stores a state.
func (w *Watch) write(ctx context.Context, projectID string, s state) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode link state: %w", err)
	}
	if _, err := w.Blob.Put(ctx, keyPrefix+projectID+".json", bytes.NewReader(raw)); err != nil {
		return fmt.Errorf("store link state: %w", err)
	}
	return nil
}
