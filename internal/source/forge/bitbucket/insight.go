package bitbucket

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Both products show findings at files and lines as annotations of a report on a commit, a feature called Code
// Insights.
const (
	annotationsPerRequest = 100  // limit of Cloud
	longestAnnotation     = 2000 // bytes of a message, limit of Data Center
	longestSummary        = 450  // bytes of a message, limit of Cloud
	reporter              = "Lectern"
)

// insights describes the requests for one report.
type insights struct {
	api    *rest.Client
	path   string // of the report
	report map[string]any
	notes  []map[string]any
	batch  func(notes []map[string]any) any // returns the request body that adds annotations
}

// send replaces a report and its annotations; without annotations it only deletes the report. A credential that may
// not write reports is not an error, because the commit's status already states the number of findings.
func (i insights) send(ctx context.Context) error {
	_, err := i.api.Do(ctx, rest.Call{Method: http.MethodDelete, Path: i.path}) // also deletes its annotations
	if rest.Status(err) == http.StatusNotFound {
		err = nil
	}
	if err == nil && len(i.notes) > 0 {
		_, err = i.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: i.path, In: i.report})
		for part := range slices.Chunk(i.notes, annotationsPerRequest) {
			if err == nil {
				_, err = i.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: i.path + "/annotations", In: i.batch(part)})
			}
		}
	}
	if fault.Is(err, fault.Unavailable) {
		return err
	}
	switch rest.Status(err) {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return nil
	}
	return err
}

// reportKey converts a status name to a path element.
func reportKey(s pull.Status) string { return strings.ReplaceAll(s.Name, "/", "-") }

// placed returns the findings that have a position.
func placed(s pull.Status) (out []pull.Finding) {
	if s.Findings == nil {
		return nil
	}
	for _, f := range s.Findings.List {
		if f.File != "" {
			out = append(out, f)
		}
	}
	return out
}

func (h *Cloud) insights(commit string, s pull.Status) insights {
	result := "PASSED"
	if s.State != pull.Succeeded {
		result = "FAILED"
	}
	out := insights{api: h.api, path: h.repo + "/commit/" + commit + "/reports" + rest.Escape(reportKey(s)),
		report: map[string]any{"title": s.Name, "details": s.Text, "report_type": "BUG", "reporter": reporter, "link": s.URL,
			"result": result},
		batch: func(notes []map[string]any) any { return notes }}
	for i, f := range placed(s) {
		severity := "LOW"
		if f.Failure {
			severity = "HIGH"
		}
		note := map[string]any{"external_id": reportKey(s) + "-" + commit[:12] + "-" + strconv.Itoa(i), "annotation_type": "CODE_SMELL",
			"summary": rest.Line(f.Message, longestSummary), "severity": severity, "path": f.File}
		if f.Line > 0 {
			note["line"] = f.Line
		}
		out.notes = append(out.notes, note)
	}
	return out
}

func (h *Center) insights(commit string, s pull.Status) insights {
	result := "PASS"
	if s.State != pull.Succeeded {
		result = "FAIL"
	}
	out := insights{api: h.reports, path: h.repo + "/commits/" + commit + "/reports" + rest.Escape(reportKey(s)),
		report: map[string]any{"title": s.Name, "details": s.Text, "reporter": reporter, "link": s.URL, "result": result,
			"data": []any{}}, // required according to the API's documentation
		batch: func(notes []map[string]any) any { return map[string]any{"annotations": notes} }}
	for i, f := range placed(s) {
		severity := "LOW"
		if f.Failure {
			severity = "HIGH"
		}
		out.notes = append(out.notes, map[string]any{"externalId": strconv.Itoa(i), "type": "CODE_SMELL", "severity": severity,
			"message": rest.Line(f.Message, longestAnnotation), "path": f.File, "line": max(f.Line, 0)})
	}
	return out
}
