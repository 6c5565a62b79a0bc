package github

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

const (
	annotationsPerRequest = 50   // GitHub's limit
	longestAnnotation     = 2000 // bytes of a message; GitHub's limit is higher
	ownCheck              = "lectern-"
)

// checkRun is the part of a check run that we use.
type checkRun struct {
	ID         int64
	Status     string
	ExternalID string `json:"external_id"`
	Output     struct {
		Annotations int `json:"annotations_count"`
	}
}

// setCheck reports a status as a check run, with findings at files and lines. GitHub appends the annotations of
// each request to earlier ones, so a run with annotations is never changed to another state: a new one with the
// same name replaces it.
func (h *Host) setCheck(ctx context.Context, commit string, s pull.Status) error {
	if err := rest.CheckCommit(commit); err != nil {
		return err
	}
	s = rest.FitStatus(s)
	notes := annotations(s)
	id, err := checkID(s)
	if err != nil {
		return err
	}
	last, err := h.lastCheck(ctx, commit, s.Name)
	if err != nil {
		return err
	}
	if last.ExternalID == id && last.Output.Annotations == len(notes) && (last.Status == "completed") == (s.State != pull.Pending) {
		return nil // the status is already set
	}
	if last.Status == "completed" || last.Output.Annotations > 0 {
		last.ID = 0
	}
	for first := true; first || len(notes) > 0; first = false {
		n := min(len(notes), annotationsPerRequest)
		in := checkFields(s, notes[:n], len(notes) == n)
		in["external_id"] = id
		notes = notes[n:]
		if last.ID, err = h.sendCheck(ctx, commit, last.ID, in); err != nil {
			return err
		}
	}
	return nil
}

// checkID identifies a state of a check run, so that it can be found again if the response was lost.
func checkID(s pull.Status) (string, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("name check run: %w", err)
	}
	sum := sha256.Sum256(raw)
	return ownCheck + hex.EncodeToString(sum[:16]), nil
}

// lastCheck returns our newest check run; zero if there is none.
func (h *Host) lastCheck(ctx context.Context, commit, name string) (last checkRun, err error) {
	var out struct {
		Runs []checkRun `json:"check_runs"`
	}
	_, err = h.api.Do(ctx, rest.Call{Path: h.repo + "/commits/" + commit + "/check-runs", Out: &out,
		Query: url.Values{"check_name": {name}, "filter": {"all"}, "per_page": {"100"}}})
	for _, one := range out.Runs {
		if one.ID > last.ID && strings.HasPrefix(one.ExternalID, ownCheck) {
			last = one
		}
	}
	return last, err
}

// sendCheck changes a check run, or creates one if id is 0, and returns its id.
func (h *Host) sendCheck(ctx context.Context, commit string, id int64, in map[string]any) (int64, error) {
	call := rest.Call{Method: http.MethodPatch, Path: h.repo + "/check-runs/" + strconv.FormatInt(id, 10), In: in}
	if id == 0 {
		in["head_sha"] = commit
		call.Method, call.Path = http.MethodPost, h.repo+"/check-runs"
	}
	var made checkRun
	call.Out = &made
	if _, err := h.api.Do(ctx, call); err != nil {
		return 0, err
	}
	if made.ID <= 0 {
		return 0, h.api.Unreadable("a check run without an id")
	}
	return made.ID, nil
}

// conclusions maps states to GitHub's terms, which have no term for an error that is not the author's fault.
var conclusions = map[pull.StatusState]string{pull.Succeeded: "success", pull.Failed: "failure", pull.Errored: "failure"}

// checkFields returns the fields for one request with some of the annotations; last means that no more requests follow.
func checkFields(s pull.Status, notes []map[string]any, last bool) map[string]any {
	output := map[string]any{"title": s.Text, "summary": s.Text}
	if len(notes) > 0 {
		output["annotations"] = notes
	}
	in := map[string]any{"name": s.Name, "details_url": s.URL, "status": "in_progress", "output": output}
	if conclusion := conclusions[s.State]; conclusion != "" && last {
		in["status"], in["conclusion"] = "completed", conclusion
	}
	return in
}

// annotations returns the findings that have a position.
func annotations(s pull.Status) []map[string]any {
	if s.Findings == nil {
		return nil
	}
	var out []map[string]any
	for _, f := range s.Findings.List {
		if f.File == "" {
			continue
		}
		level, line := "warning", max(f.Line, 1)
		if f.Failure {
			level = "failure"
		}
		out = append(out, map[string]any{"path": f.File, "start_line": line, "end_line": line, "annotation_level": level,
			"message": rest.Line(f.Message, longestAnnotation), "title": rest.Line(f.Title, 200)})
	}
	return out
}
