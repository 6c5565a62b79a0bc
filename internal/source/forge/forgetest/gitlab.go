package forgetest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// GitLab returns a fake of GitLab's REST API, with the project acme/docs, and the key that it accepts.
func GitLab(t testing.TB) (rig *Rig, key string) {
	w := newWorld(t, "gitlab")
	w.serve(func(c *call) { gitLab(c) })
	rig = w.rig()
	rig.Coarse = true
	w.addReleases(rig)
	shown := rig.Shown
	rig.Shown = func(t testing.TB, n int64) Shown {
		s := shown(t, n)
		s.Draft = strings.HasPrefix(s.Title, "Draft: ")
		return s
	}
	return rig, w.key
}

// GitLabConnection returns the same fake as a Connection, with its address and key.
func GitLabConnection(t testing.TB) (c *Connection, url, key string) {
	w := newWorld(t, "gitlab")
	w.serve(func(c *call) { gitLab(c) })
	return w.connection(owner), w.url, w.key
}

// gitLabAccount responds to requests about the token.
func gitLabAccount(c *call) bool {
	switch c.Method + " " + c.URL.Path {
	case "GET /api/v4/personal_access_tokens/self":
		c.reply(http.StatusOK, object{"id": 1, "name": "lectern", "revoked": false, "active": true,
			"scopes": []string{"api"}, "expires_at": "2027-01-31", "user_id": 2})
	case "GET /api/v4/projects":
		c.queries("membership", "archived", "order_by", "sort", "per_page", "page", "search", "search_namespaces")
		list := []object{}
		for _, name := range c.named(c.URL.Query().Get("search")[strings.LastIndexByte(c.URL.Query().Get("search"), '/')+1:]) {
			list = append(list, object{"id": 1, "path_with_namespace": owner + "/" + name, "default_branch": "main",
				"http_url_to_repo": c.url + "/" + owner + "/" + name + ".git", "visibility": "private"})
		}
		c.reply(http.StatusOK, page(c, list, "per_page", 100))
	default:
		return false
	}
	return true
}

func gitLabHook(c *call, parts []string) bool {
	show := func(h storedHook) object {
		return object{"id": h.id, "url": h.URL, "project_id": 1, "push_events": true, "tag_push_events": true, "merge_requests_events": true}
	}
	refuse := func() { c.reply(http.StatusForbidden, object{"message": "403 Forbidden"}) }
	return c.hookCall(parts, http.MethodPut, refuse, show,
		func(list []object) { c.reply(http.StatusOK, page(c, list, "per_page", 100)) },
		func() InstalledHook {
			flags := []string{"push_events", "tag_push_events", "merge_requests_events", "note_events", "issues_events",
				"enable_ssl_verification"}
			in := c.fields(append([]string{"url!", "token!"}, flags...)...)
			for _, name := range flags {
				if in[name] != true {
					c.wrong("hook %v", in)
				}
			}
			return InstalledHook{URL: in["url"].(string), Secret: in["token"].(string), Events: []string{"push", "merge"}}
		})
}

func gitLab(c *call) {
	if c.Request.Header.Get("Authorization") != "Bearer "+c.key {
		c.reply(http.StatusUnauthorized, object{"message": "401 Unauthorized"})
		return
	}
	if c.Method == http.MethodGet && c.URL.Path == "/api/v4/users" {
		gitLabUsers(c)
		return
	}
	if c.Method == http.MethodGet && c.URL.Path == "/api/v4/user" {
		c.reply(http.StatusOK, object{"id": c.userID(author), "username": author, "state": "active"})
		return
	}
	if gitLabAccount(c) {
		return
	}
	// The project's path is one part, with its slash escaped.
	path, ok := strings.CutPrefix(c.URL.EscapedPath(), "/api/v4/projects/"+owner+"%2F"+project)
	if !ok {
		if strings.Contains(c.URL.EscapedPath(), "/projects/"+owner+"/") {
			c.wrong("the project's path is not escaped")
			return
		}
		c.reply(http.StatusNotFound, object{"message": "404 Project Not Found"})
		return
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if gitLabRelease(c) || gitLabHook(c, parts) || gitLabRemark(c, parts) {
		return
	}
	switch route := c.Method + " " + strings.Join(numberless(parts), "/"); route {
	case "GET ":
		c.reply(http.StatusOK, object{"id": 1, "path_with_namespace": owner + "/" + project, "default_branch": "main",
			"permissions": object{"project_access": nil, "group_access": object{"access_level": 40}}})
	case "GET merge_requests":
		gitLabList(c)
	case "POST merge_requests":
		gitLabOpen(c)
	case "GET merge_requests/N", "PUT merge_requests/N", "GET merge_requests/N/notes", "POST merge_requests/N/notes",
		"PUT merge_requests/N/notes/N":
		number, _ := strconv.Atoi(parts[1])
		if number < 1 || number > len(c.pulls) {
			c.reply(http.StatusNotFound, object{"message": "404 Not found"})
			return
		}
		gitLabOne(c, route, c.pulls[number-1])
	default:
		if c.Method == http.MethodPost && parts[0] == "statuses" && len(parts) == 2 {
			gitLabStatus(c, parts[1])
			return
		}
		c.wrong("there is no such route")
	}
}

func gitLabStatus(c *call, commit string) {
	in := c.fields("state!", "name", "context", "target_url", "description", "ref", "coverage", "pipeline_id")
	name, _ := in["name"].(string)
	before := c.statuses[commit+" "+name]
	words := map[string]pull.StatusState{"pending": pull.Pending, "success": pull.Succeeded, "failed": pull.Failed}
	if before.State != "" && before.State == words[in["state"].(string)] && before.State == pull.Pending {
		c.reply(http.StatusBadRequest,
			object{"message": object{"state": []string{"Cannot transition status via :enqueue from :pending"}}})
		return
	}
	c.setStatus(commit, name, words, in, "description", "target_url")
	c.reply(http.StatusCreated, object{"id": 1, "sha": commit, "status": in["state"], "name": name})
}

func gitLabUsers(c *call) {
	c.queries("username")
	list := []object{}
	if name := c.URL.Query().Get("username"); c.userID(name) > 0 {
		list = append(list, object{"id": c.userID(name), "username": name, "state": "active"})
	}
	c.reply(http.StatusOK, list)
}

func gitLabList(c *call) {
	c.queries("source_branch", "state", "order_by", "sort", "per_page", "page", "target_branch")
	q := c.URL.Query()
	if q.Get("state") != "all" || q.Get("order_by") != "created_at" || q.Get("sort") != "desc" {
		c.wrong("order")
	}
	list := []object{}
	for _, p := range c.newest(q.Get("source_branch")) {
		list = append(list, gitLabRequest(c, p))
	}
	c.reply(http.StatusOK, page(c, list, "per_page", 100))
}

func gitLabOpen(c *call) {
	in := c.fields("source_branch!", "target_branch!", "title!", "description", "labels", "reviewer_ids",
		"remove_source_branch", "squash", "target_project_id")
	head, base := in["source_branch"].(string), in["target_branch"].(string)
	existing := c.openFrom(head, base)
	switch {
	case !c.branches[head]:
		c.reply(http.StatusBadRequest,
			object{"message": object{"base": []string{`Source branch "` + head + `" does not exist`}}})
	case !c.branches[base]:
		c.reply(http.StatusUnprocessableEntity,
			object{"message": []string{`Target branch "` + base + `" does not exist`}})
	case existing != nil:
		text := fmt.Sprintf("Another open merge request already exists for this source branch: !%d", existing.number)
		c.reply(http.StatusConflict, object{"message": []string{text}})
	default:
		p := c.add(&proposal{title: in["title"].(string), body: in["description"].(string), head: head, base: base})
		c.reply(http.StatusCreated, gitLabRequest(c, p))
	}
}

func gitLabOne(c *call, route string, p *proposal) {
	switch route {
	case "GET merge_requests/N":
		c.reply(http.StatusOK, gitLabRequest(c, p))
	case "PUT merge_requests/N":
		in := c.fields("title", "description", "add_labels", "reviewer_ids", "state_event", "target_branch")
		if len(in) == 0 {
			c.wrong("nothing to change")
		}
		if title, ok := in["title"].(string); ok {
			p.title = title
		}
		if text, ok := in["description"].(string); ok {
			p.body = text
		}
		if labels, ok := in["add_labels"].(string); ok {
			p.labels = append(p.labels, strings.Split(labels, ",")...)
		}
		if ids, ok := in["reviewer_ids"].([]any); ok { // they replace the existing ones
			p.reviewer = nil
			for _, id := range ids {
				p.reviewer = append(p.reviewer, c.users[int(id.(float64))-1])
			}
		}
		c.reply(http.StatusOK, gitLabRequest(c, p))
	case "POST merge_requests/N/notes":
		made := c.addOwn(p, c.fields("body!", "internal", "created_at")["body"].(string))
		c.reply(http.StatusCreated, object{"id": made.id, "body": made.text, "author": object{"username": author}})
	case "PUT merge_requests/N/notes/N":
		own := p.own(c.URL.Path[strings.LastIndexByte(c.URL.Path, '/')+1:])
		if own == nil {
			c.reply(http.StatusNotFound, object{"message": "404 Not found"})
			return
		}
		own.text = c.fields("body!")["body"].(string)
		c.reply(http.StatusOK, object{"id": own.id, "body": own.text})
	case "GET merge_requests/N/notes":
		c.queries("sort", "order_by", "per_page", "page")
		if c.URL.Query().Get("sort") != "desc" {
			c.wrong("order")
		}
		c.reply(http.StatusOK, page(c, gitLabNotes(p), "per_page", 100))
	}
}

func gitLabNotes(p *proposal) []object {
	list := []object{{"id": p.number * 500, "body": "added 1 commit", "system": true,
		"author": object{"username": author}, "created_at": p.when()}}
	for _, r := range p.remarks {
		o := object{"id": r.id, "type": nil, "body": r.text, "system": false,
			"author":        object{"id": 1, "username": r.author},
			"created_at":    r.when.Format(time.RFC3339Nano),
			"noteable_type": "MergeRequest", "noteable_iid": p.number, "resolvable": r.at.File != ""}
		if r.at.File != "" {
			o["type"] = "DiffNote"
			o["position"] = object{"position_type": "text", "new_path": r.at.File, "old_path": r.at.File,
				"new_line": r.at.Line, "old_line": nil}
		}
		list = append(list, o)
	}
	slices.Reverse(list)
	return list
}

func gitLabRequest(c *call, p *proposal) object {
	source := 1
	if p.fork {
		source = 2
	}
	state := map[string]string{"open": "opened"}[p.state]
	if state == "" {
		state = p.state
	}
	reviewers := []object{}
	for _, name := range p.reviewer {
		reviewers = append(reviewers, object{"id": c.userID(name), "username": name, "state": "active"})
	}
	draft := strings.HasPrefix(p.title, "Draft: ")
	return object{
		"id": 10_000 + p.number, "iid": p.number, "project_id": 1, "title": p.title, "description": p.body,
		"state": state, "created_at": p.when(),
		"merged_at": nil, "target_branch": p.base, "source_branch": p.head, "source_project_id": source,
		"target_project_id": 1,
		"author":            object{"id": c.userID(author), "username": author},
		"labels":            p.labels, "draft": draft, "milestone": nil,
		"detailed_merge_status": "mergeable",
		"sha":                   p.commit(), "merge_commit_sha": nil, "reviewers": reviewers,
		"web_url": fmt.Sprintf("%s/%s/%s/-/merge_requests/%d", c.url, owner, project, p.number),
	}
}
