package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxEntry limits the size of a record entry, in bytes of encoded JSON.
const maxEntry = 8 << 20

// entryBody holds the entry fields that no query filters by.
type entryBody struct {
	Text    string            `json:"text"`
	Calls   []agentjob.Call   `json:"calls,omitempty"`
	Results []agentjob.Result `json:"results,omitempty"`
	Used    *agentjob.Use     `json:"used,omitempty"`
	Seen    int64             `json:"seen,omitempty"`
}

// encodeEntry returns the entry's body as stored JSON. A model may write a tool call whose input is not valid JSON. The
// input is then stored as a JSON string. Every tool rejects it, because tools expect an object.
func encodeEntry(e agentjob.Entry) (string, error) {
	b := entryBody{Text: e.Text, Results: e.Results, Seen: e.Seen}
	if e.Used != (agentjob.Use{}) {
		b.Used = &e.Used
	}
	for _, c := range e.Calls {
		if len(c.Input) > 0 && !json.Valid(c.Input) {
			c.Input, _ = json.Marshal(string(c.Input)) // encoding a string cannot fail
		}
		b.Calls = append(b.Calls, c)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b); err != nil {
		return "", fmt.Errorf("encode entry: %w", err)
	}
	if out.Len() > maxEntry {
		return "", fault.Newf(fault.Invalid, "entry_too_large",
			"A step of the agent is larger than %d MiB, the limit of the job's record.", maxEntry>>20)
	}
	return cleanText(out.String()), nil
}

func scanAgentEntry(s scanner) (agentjob.Entry, error) {
	var e agentjob.Entry
	var body string
	var round, at int64
	if err := s.Scan(&e.Sequence, &round, &e.Kind, &e.Code, &e.Author, &body, &at); err != nil {
		return e, err
	}
	b, err := fromJSON[entryBody](body)
	if err != nil {
		return e, err
	}
	e.Round, e.Text, e.Calls, e.Results, e.Seen, e.At = int(round), b.Text, b.Calls, b.Results, b.Seen, fromMicros(at)
	if b.Used != nil {
		e.Used = *b.Used
	}
	for i, c := range e.Calls {
		if string(c.Input) == "null" {
			e.Calls[i].Input = nil
		}
	}
	return e, nil
}

// appendEntries appends entries to a job's record, in the job's current round. Sequence numbers are assigned from the
// job's row, so there are no gaps.
func (t *Tx) appendEntries(ctx context.Context, j agentjob.Job, entries ...agentjob.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	last, err := single(ctx, t.q, value[int64],
		`UPDATE agent_jobs SET entry_seq = entry_seq + $2, updated_at = $3 WHERE id = $1 RETURNING entry_seq`,
		j.ID, len(entries), micros(t.now()))
	if err != nil {
		return wrap("number entries", err)
	}
	for i, e := range entries {
		body, err := encodeEntry(e)
		if err != nil {
			return err
		}
		if _, err := t.q.exec(ctx,
			`INSERT INTO agent_entries (job_id, sequence, project_id, round, kind, code, author, body, at) VALUES ($1, $2, $3, $4, $5,
			$6, $7, $8, $9)`,
			j.ID, last-int64(len(entries)-1-i), j.ProjectID, j.Round, string(e.Kind), cleanText(e.Code),
			cleanText(e.Author), body, micros(t.now())); err != nil {
			return wrap("store entry", err)
		}
	}
	return nil
}

// ListAgentEntries returns the entries of a job's record whose sequence number is greater than after, oldest first.
func (r reads) ListAgentEntries(ctx context.Context, jobID string, after int64, limit int) ([]agentjob.Entry, error) {
	list, err := collect(ctx, r.q, scanAgentEntry,
		`SELECT sequence, round, kind, code, author, body, at FROM agent_entries WHERE job_id = $1
		AND sequence > $2 ORDER BY sequence LIMIT $3`, jobID, after, limit)
	return list, wrap("list entries", err)
}
