package forgetest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// BitbucketCenter returns a fake of Bitbucket Data Center's REST API, with the repository docs of the project ACME, and
// the key that it accepts.
func BitbucketCenter(t testing.TB) (rig *Rig, key string) {
	w := newWorld(t, "bitbucket-dc")
	w.serve(func(c *call) { center(c) })
	rig = w.rig()
	rig.Labels, rig.Coarse, rig.Mute, rig.Issue = false, true, true, nil
	return rig, w.key
}

// BitbucketCenterConnection returns the same fake as a Connection, with its address and key.
func BitbucketCenterConnection(t testing.TB) (c *Connection, url, key string) {
	w := newWorld(t, "bitbucket-dc")
	w.serve(func(c *call) { center(c) })
	return w.connection("ACME"), w.url, w.key
}

func centerRepository(c *call, name string) object {
	return object{"slug": name, "id": 1, "public": false, "project": object{"key": "ACME"}, "links": object{
		"clone": []object{{"href": "ssh://git@127.0.0.1/acme/" + name + ".git", "name": "ssh"},
			{"href": strings.Replace(c.url, "://", "://"+author+"@", 1) + "/scm/acme/" + name + ".git", "name": "http"}}}}
}

// centerRepositories responds to a request for a server's repositories.
func centerRepositories(c *call) {
	c.queries("permission", "name", "start", "limit")
	values := []object{}
	q := c.URL.Query()
	if q.Get("permission") == "REPO_WRITE" && strings.Contains(project, q.Get("name")) {
		values = append(values, centerRepository(c, project))
	}
	for _, name := range c.named(q.Get("name")) {
		values = append(values, centerRepository(c, name))
	}
	centerPage(c, values)
}

func centerHook(c *call, parts []string) bool {
	show := func(h storedHook) object {
		return object{"id": h.id, "name": "Lectern", "url": h.URL, "active": true, "events": h.Events,
			"configuration": object{}}
	}
	refuse := func() {
		centerFault(c, http.StatusUnauthorized, "You are not permitted to access this resource",
			"AuthorisationException")
	}
	return c.hookCall(parts, http.MethodPut, refuse, show, func(list []object) { centerPage(c, list) },
		func() InstalledHook {
			in := c.fields("name!", "url!", "active!", "configuration!", "events!")
			return InstalledHook{URL: in["url"].(string), Secret: in["configuration"].(object)["secret"].(string),
				Events: c.events(texts(in["events"]), "repo:refs_changed", "pr:opened", "pr:from_ref_updated",
					"pr:reopened", "pr:merged", "pr:declined", "pr:deleted", "pr:comment:added")}
		})
}

func centerFault(c *call, status int, text, exception string) {
	c.reply(status, object{"errors": []object{{"context": nil, "message": text,
		"exceptionName": "com.atlassian.bitbucket." + exception}}})
}

func center(c *call) {
	if c.Request.Header.Get("Authorization") != "Bearer "+c.key {
		centerFault(c, http.StatusUnauthorized, "Authentication failed. Please check your credentials and try again.",
			"auth.IncorrectPasswordAuthenticationException")
		return
	}
	if c.URL.Path == "/rest/api/1.0/repos" && c.Method == http.MethodGet {
		c.ResponseWriter.Header().Set("X-AUSERNAME", author)
		centerRepositories(c)
		return
	}
	if path, ok := strings.CutPrefix(c.URL.Path, "/rest/insights/1.0/projects/ACME/repos/"+project+"/"); ok {
		if !insight(c, strings.Split(path, "/"), false, func() {
			centerFault(c, http.StatusUnauthorized, "You are not permitted to access this resource", "AuthorisationException")
		}) {
			c.wrong("there is no such route")
		}
		return
	}
	if c.Method == http.MethodGet && c.URL.Path == "/rest/api/1.0/projects/ACME/permissions/users" {
		centerPermissions(c, true)
		return
	}
	path, ok := strings.CutPrefix(c.URL.Path, "/rest/api/1.0/projects/ACME/repos/"+project)
	if !ok {
		centerFault(c, http.StatusNotFound, "Repository ACME/nothing does not exist.",
			"repository.NoSuchRepositoryException")
		return
	}
	c.ResponseWriter.Header().Set("X-AUSERNAME", author)
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if centerHook(c, parts) {
		return
	}
	switch route := c.Method + " " + strings.Join(numberless(parts), "/"); route {
	case "GET ":
		c.reply(http.StatusOK, centerRepository(c, project))
	case "GET permissions/users":
		centerPermissions(c, false)
	case "GET pull-requests":
		centerList(c)
	case "POST pull-requests":
		centerOpen(c)
	case "GET pull-requests/N", "PUT pull-requests/N", "GET pull-requests/N/activities", "POST pull-requests/N/comments",
		"GET pull-requests/N/comments/N", "PUT pull-requests/N/comments/N":
		number, _ := strconv.Atoi(parts[1])
		if number < 1 || number > len(c.pulls) {
			centerFault(c, http.StatusNotFound, "No pull request exists with this ID.",
				"pull.NoSuchPullRequestException")
			return
		}
		centerOne(c, route, c.pulls[number-1])
	default:
		if c.Method == http.MethodPost && len(parts) == 3 && parts[0] == "commits" && parts[2] == "builds" {
			buildStatus(c, parts[1])
			c.answered = true
			c.WriteHeader(http.StatusNoContent)
			return
		}
		c.wrong("there is no such route")
	}
}

// centerPage writes the part of a list that start and limit select.
func centerPage(c *call, values []object) {
	start, _ := strconv.Atoi(c.URL.Query().Get("start"))
	limit, _ := strconv.Atoi(c.URL.Query().Get("limit"))
	if limit < 1 || start < 0 {
		c.wrong("page from %d of size %d", start, limit)
		return
	}
	end := min(start+limit, len(values))
	out := object{"values": values[min(start, end):end], "size": end - start, "limit": limit, "start": start,
		"nextPageStart": nil,
		"isLastPage":    end == len(values)}
	if end < len(values) {
		out["nextPageStart"] = end
	}
	c.reply(http.StatusOK, out)
}

func centerList(c *call) {
	c.queries("at", "direction", "state", "order", "limit", "start")
	q := c.URL.Query()
	head, ok := strings.CutPrefix(q.Get("at"), "refs/heads/")
	if !ok || q.Get("direction") != "OUTGOING" || q.Get("state") != "ALL" || q.Get("order") != "NEWEST" {
		c.wrong("at is %q", q.Get("at"))
	}
	values := []object{}
	for _, p := range c.newest(head) {
		values = append(values, centerPull(c, p))
	}
	centerPage(c, values)
}

func centerOpen(c *call) {
	in := c.fields("title!", "description", "fromRef!", "toRef!", "reviewers", "draft")
	branch := func(ref any) string {
		id, _ := ref.(object)["id"].(string)
		name, ok := strings.CutPrefix(id, "refs/heads/")
		if !ok {
			c.wrong("ref %v", ref)
		}
		return name
	}
	head, base := branch(in["fromRef"]), branch(in["toRef"])
	for _, b := range []string{head, base} {
		if !c.branches[b] {
			centerFault(c, http.StatusNotFound,
				fmt.Sprintf("Repository \"docs\" of project with key \"ACME\" has no branch %q", b),
				"repository.NoSuchBranchException")
			return
		}
	}
	if p := c.openFrom(head, base); p != nil {
		c.reply(http.StatusConflict,
			object{"errors": []object{{"context": nil,
				"message":             "Only one pull request may be open for a given source and target branch",
				"exceptionName":       "com.atlassian.bitbucket.pull.DuplicatePullRequestException",
				"existingPullRequest": centerPull(c, p)}}})
		return
	}
	p := c.add(&proposal{title: in["title"].(string), body: in["description"].(string), head: head, base: base,
		draft: in["draft"] == true})
	c.reply(http.StatusCreated, centerPull(c, p))
}

func centerOne(c *call, route string, p *proposal) {
	switch route {
	case "GET pull-requests/N":
		c.reply(http.StatusOK, centerPull(c, p))
	case "PUT pull-requests/N":
		in := c.fields("version!", "title!", "description", "reviewers", "draft", "toRef")
		if int64(in["version"].(float64)) != p.version {
			centerFault(c, http.StatusConflict,
				"You are attempting to modify a pull request based on out-of-date information.",
				"pull.PullRequestOutOfDateException")
			return
		}
		names := []string{}
		for _, r := range in["reviewers"].([]any) {
			name := r.(object)["user"].(object)["name"].(string)
			if c.userID(name) == 0 {
				centerFault(c, http.StatusConflict, name+" is not a user.", "pull.InvalidPullRequestReviewersException")
				return
			}
			names = append(names, name)
		}
		p.title, p.body, p.reviewer, p.draft = in["title"].(string), in["description"].(string), names,
			in["draft"] == true
		p.version++
		c.reply(http.StatusOK, centerPull(c, p))
	case "POST pull-requests/N/comments":
		made := c.addOwn(p, c.fields("text!", "parent", "anchor")["text"].(string))
		c.reply(http.StatusCreated, object{"id": made.id, "version": 0, "text": made.text})
	case "GET pull-requests/N/comments/N", "PUT pull-requests/N/comments/N":
		centerComment(c, p)
	case "GET pull-requests/N/activities":
		c.queries("start", "limit")
		centerPage(c, centerActivities(p))
	}
}

func centerComment(c *call, p *proposal) {
	own := p.own(c.URL.Path[strings.LastIndexByte(c.URL.Path, '/')+1:])
	if own == nil {
		centerFault(c, http.StatusNotFound, "No comment exists with this ID.", "comment.NoSuchCommentException")
		return
	}
	if c.Method == http.MethodPut {
		in := c.fields("text!", "version!", "severity", "state")
		if int64(in["version"].(float64)) != own.version {
			centerFault(c, http.StatusConflict, "You are attempting to modify a comment based on out-of-date information.",
				"comment.CommentOutOfDateException")
			return
		}
		own.text = in["text"].(string)
		own.version++
	}
	c.reply(http.StatusOK, object{"id": own.id, "version": own.version, "text": own.text})
}

func centerActivities(p *proposal) []object {
	list := []object{{"id": 1, "createdDate": p.created.UnixMilli(), "action": "OPENED",
		"user": object{"name": author}}}
	for _, r := range p.remarks {
		o := object{"id": r.id * 10, "createdDate": r.when.UnixMilli(), "action": "COMMENTED", "commentAction": "ADDED",
			"user": object{"name": colleague},
			"comment": object{"id": r.id, "version": r.version, "text": r.text,
				"author":      object{"name": r.author, "slug": r.author},
				"createdDate": r.when.UnixMilli(), "comments": []object{}}}
		if r.at.File != "" {
			o["commentAnchor"] = object{"path": r.at.File, "line": r.at.Line, "lineType": "ADDED", "fileType": "TO"}
		}
		list = append(list, o)
	}
	slices.Reverse(list)
	return list
}

func centerPull(c *call, p *proposal) object {
	end := func(branch, key string) object {
		return object{"id": "refs/heads/" + branch, "displayId": branch, "latestCommit": p.commit(),
			"repository": object{"slug": project, "id": 1, "project": object{"key": key}}}
	}
	from := "ACME"
	if p.fork {
		from = "~STRANGER"
	}
	reviewers := []object{}
	for _, name := range p.reviewer {
		reviewers = append(reviewers, object{"user": object{"name": name, "slug": name}, "role": "REVIEWER",
			"approved": false, "status": "UNAPPROVED"})
	}
	return object{
		"id": p.number, "version": p.version, "title": p.title, "description": p.body, "state": cloudState(p),
		"open":   p.state == "open",
		"closed": p.state != "open", "draft": p.draft, "createdDate": p.created.UnixMilli(),
		"fromRef": end(p.head, from), "toRef": end(p.base, "ACME"),
		"author": object{"user": object{"name": author}}, "reviewers": reviewers,
		"links": object{"self": []object{{"href": fmt.Sprintf("%s/projects/ACME/repos/%s/pull-requests/%d", c.url,
			project, p.number)}}},
	}
}
