package forgetest

import (
	"net/http"
	"slices"
	"strings"
)

// Report has the visible parts of a report with annotations on Bitbucket.
type Report struct {
	Commit, Key   string
	Title, Result string
	Annotations   []map[string]any
}

// insight responds to requests about reports. It returns false for any other request. parts are the elements of the
// path, starting with those of the commit. refuse writes the host's response to a credential without permission to
// write reports. cloud is set for Bitbucket Cloud.
func insight(c *call, parts []string, cloud bool, refuse func()) bool {
	if len(parts) < 4 || len(parts) > 5 || parts[2] != "reports" || len(parts) == 5 && parts[4] != "annotations" {
		return false
	}
	at := slices.IndexFunc(c.reports, func(r *Report) bool { return r.Commit == parts[1] && r.Key == parts[3] })
	switch route := c.Method + " " + strings.Join(parts[4:], "/"); {
	case c.unchecked:
		refuse()
	case route == "DELETE ":
		if at >= 0 {
			c.reports = slices.Delete(c.reports, at, at+1)
		} else if cloud {
			cloudFault(c, http.StatusNotFound, "Report not found.")
			return true
		}
		c.answered = true
		c.WriteHeader(http.StatusNoContent)
	case route == "PUT ":
		made := readReport(c, parts[1], parts[3], cloud)
		if at >= 0 {
			c.wrong("annotations of the report before would stay")
		}
		c.reports = append(c.reports, made)
		c.reply(http.StatusOK, object{"title": made.Title, "result": made.Result})
	case route == "POST annotations" && at >= 0:
		var list []any
		if cloud {
			list = c.list()
		} else {
			list, _ = c.fields("annotations!")["annotations"].([]any)
		}
		if len(list) == 0 || len(list) > 100 {
			c.wrong("%d annotations in one request", len(list))
		}
		for _, one := range list {
			c.reports[at].Annotations = append(c.reports[at].Annotations, annotation(c, one, cloud))
		}
		if cloud {
			c.reply(http.StatusOK, list)
			return true
		}
		c.answered = true
		c.WriteHeader(http.StatusNoContent)
	default:
		c.wrong("there is no such route")
	}
	return true
}

func readReport(c *call, commit, key string, cloud bool) *Report {
	fields, results := []string{"title!", "details", "result", "reporter", "link", "logoUrl", "data", "createdDate"}, "PASS FAIL"
	if cloud {
		fields, results = []string{"title!", "details!", "report_type!", "result", "reporter", "link", "external_id", "data",
			"logo_url", "remote_link_enabled"}, "PASSED FAILED PENDING"
	}
	in := c.fields(fields...)
	made := &Report{Commit: commit, Key: key}
	made.Title, _ = in["title"].(string)
	made.Result, _ = in["result"].(string)
	if !slices.Contains(strings.Fields(results), made.Result) {
		c.wrong("result %q", made.Result)
	}
	return made
}

func annotation(c *call, one any, cloud bool) object {
	a, _ := one.(object)
	allowed, text, kind := "path line message severity link type externalId", "message", "type"
	if cloud {
		allowed, text, kind = "external_id annotation_type summary details severity path line link result", "summary", "annotation_type"
	}
	for name := range a {
		if !slices.Contains(strings.Fields(allowed), name) {
			c.wrong("an annotation has %q", name)
		}
	}
	line, _ := a["line"].(float64)
	if a["path"] == "" || a[text] == "" || line < 0 || cloud && a["line"] != nil && line < 1 || cloud && a["external_id"] == nil ||
		!slices.Contains([]any{"LOW", "MEDIUM", "HIGH"}, a["severity"]) ||
		!slices.Contains([]any{"VULNERABILITY", "CODE_SMELL", "BUG"}, a[kind]) {
		c.wrong("annotation %v", a)
	}
	return a
}
