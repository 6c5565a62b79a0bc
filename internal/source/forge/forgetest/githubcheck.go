package forgetest

import (
	"net/http"
	"strconv"
	"strings"
)

// CheckRun has the visible parts of a check run on GitHub.
type CheckRun struct {
	ID                            int64
	Commit, Name, Status, Outcome string
	Title, URL, External          string
	Annotations                   []map[string]any
}

// gitHubCheck responds to requests about check runs. It returns false for any other request.
func gitHubCheck(c *call, route string, parts []string) bool {
	switch {
	case c.Method == http.MethodGet && len(parts) == 3 && parts[0] == "commits" && parts[2] == "check-runs":
		c.queries("check_name", "filter", "per_page", "page", "status", "app_id")
		list := []object{}
		for _, one := range c.checks {
			if one.Commit == parts[1] && one.Name == c.URL.Query().Get("check_name") {
				list = append(list, gitHubCheckRun(one))
			}
		}
		c.reply(http.StatusOK, object{"total_count": len(list), "check_runs": list})
	case route == "POST check-runs" || route == "PATCH check-runs/N":
		gitHubSetCheck(c, parts)
	default:
		return false
	}
	return true
}

func gitHubSetCheck(c *call, parts []string) {
	if c.unchecked {
		c.reply(http.StatusForbidden, object{"message": "Resource not accessible by integration", "status": "403"})
		return
	}
	made, status := &CheckRun{ID: int64(len(c.checks) + 1)}, http.StatusCreated
	if len(parts) == 2 {
		status, made = http.StatusOK, nil
		for _, one := range c.checks {
			if strconv.FormatInt(one.ID, 10) == parts[1] {
				made = one
			}
		}
		if made == nil {
			gitHubMissing(c)
			return
		}
	}
	fields := []string{"name!", "details_url", "external_id", "status", "conclusion", "output", "started_at", "completed_at", "actions"}
	if status == http.StatusCreated {
		fields = append(fields, "head_sha!")
		c.checks = append(c.checks, made)
	}
	in := c.fields(fields...)
	if sha, ok := in["head_sha"].(string); ok {
		made.Commit = sha
	}
	made.Name, _ = in["name"].(string)
	made.URL, _ = in["details_url"].(string)
	made.External, _ = in["external_id"].(string)
	made.Status, _ = in["status"].(string)
	made.Outcome, _ = in["conclusion"].(string)
	if (made.Status == "completed") != (made.Outcome != "") || made.Status != "in_progress" && made.Status != "completed" {
		c.wrong("status %q with conclusion %q", made.Status, made.Outcome)
	}
	output, _ := in["output"].(object)
	made.Title, _ = output["title"].(string)
	if summary, _ := output["summary"].(string); made.Title == "" || summary == "" {
		c.wrong("output %v", output)
	}
	list, _ := output["annotations"].([]any)
	if len(list) > 50 {
		c.wrong("%d annotations in one request", len(list))
	}
	for _, one := range list { // GitHub adds them to the existing ones
		made.Annotations = append(made.Annotations, gitHubAnnotation(c, one))
	}
	c.reply(status, gitHubCheckRun(made))
}

func gitHubAnnotation(c *call, one any) object {
	a, _ := one.(object)
	for name := range a {
		if !strings.Contains(" path start_line end_line start_column end_column annotation_level message title raw_details ", " "+name+" ") {
			c.wrong("an annotation has %q", name)
		}
	}
	path, _ := a["path"].(string)
	message, _ := a["message"].(string)
	level, _ := a["annotation_level"].(string)
	start, _ := a["start_line"].(float64)
	end, _ := a["end_line"].(float64)
	if path == "" || message == "" || start < 1 || end < start || level != "warning" && level != "failure" && level != "notice" {
		c.wrong("annotation %v", a)
	}
	return a
}

func gitHubCheckRun(r *CheckRun) object {
	conclusion := any(nil)
	if r.Outcome != "" {
		conclusion = r.Outcome
	}
	return object{"id": r.ID, "head_sha": r.Commit, "name": r.Name, "external_id": r.External, "status": r.Status,
		"conclusion": conclusion, "details_url": r.URL, "app": object{"id": 1, "slug": "lectern"},
		"output": object{"title": r.Title, "summary": r.Title, "text": nil, "annotations_count": len(r.Annotations)}}
}
