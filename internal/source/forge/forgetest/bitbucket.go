package forgetest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// Bitbucket returns a fake of Bitbucket Cloud's REST API, and the key that it accepts.
func Bitbucket(t testing.TB) (rig *Rig, key string) {
	w := newWorld(t, "bitbucket")
	w.serve(func(c *call) { cloud(c) })
	rig = w.rig()
	rig.Labels, rig.Coarse = false, true
	rig.Writer.ID, rig.Reader.ID, rig.Stranger.ID = "{0000-1}", "{0000-77}", "{0000-99}"
	return rig, w.key
}

// BitbucketConnection returns the same fake as a Connection, with its address and key.
func BitbucketConnection(t testing.TB) (c *Connection, url, key string) {
	w := newWorld(t, "bitbucket")
	w.serve(func(c *call) { cloud(c) })
	return w.connection(owner), w.url, w.key
}

var cloudSearch = regexp.MustCompile(`^(?:name ~|slug =) "((?:[^"\\]|\\.)*)"$`)

// cloudRepositories responds to a request for a workspace's repositories.
func cloudRepositories(c *call) {
	c.queries("q", "sort", "pagelen", "page", "role")
	search := ""
	if q := c.URL.Query().Get("q"); q != "" {
		m := cloudSearch.FindStringSubmatch(q)
		if m == nil {
			c.wrong("q is %q", q)
			return
		}
		search = m[1]
	}
	values := []object{}
	if c.URL.Query().Get("role") != "" {
		values = append(values, object{"full_name": owner + "/" + project})
	}
	for _, name := range c.named(search) {
		values = append(values, object{"type": "repository", "full_name": owner + "/" + name, "is_private": true,
			"mainbranch": object{"type": "branch", "name": "main"}})
	}
	cloudPage(c, values, 100)
}

func cloudHook(c *call, parts []string) bool {
	show := func(h storedHook) object {
		return object{"type": "webhook_subscription", "uuid": hookID(h.id), "url": h.URL, "active": true,
			"secret_set": true, "events": h.Events}
	}
	refuse := func() {
		cloudFault(c, http.StatusForbidden, "Your credentials lack one or more required privilege scopes.")
	}
	return c.hookCall(parts, http.MethodPut, refuse, show, func(list []object) { cloudPage(c, list, 100) },
		func() InstalledHook {
			in := c.fields("description!", "url!", "active!", "secret!", "events!")
			return InstalledHook{URL: in["url"].(string), Secret: in["secret"].(string), Events: c.events(texts(in["events"]),
				"repo:push", "pullrequest:created", "pullrequest:updated", "pullrequest:fulfilled", "pullrequest:rejected",
				"pullrequest:comment_created", "issue:comment_created")}
		})
}

// buildStatus stores the status of a build, in the format of both products.
func buildStatus(c *call, commit string) object {
	in := c.fields("key!", "state!", "url!", "name", "description")
	c.setStatus(commit, in["key"].(string), map[string]pull.StatusState{"INPROGRESS": pull.Pending,
		"SUCCESSFUL": pull.Succeeded, "FAILED": pull.Failed}, in, "description", "url")
	return in
}

func cloudFault(c *call, status int, text string) {
	c.reply(status, object{"type": "error", "error": object{"message": text}})
}

func cloud(c *call) {
	if c.Request.Header.Get("Authorization") != "Bearer "+c.key {
		cloudFault(c, http.StatusUnauthorized, "Token is invalid, expired, or not supported for this endpoint.")
		return
	}
	if c.URL.Path == "/2.0/workspaces/"+owner+"/members" && c.Method == http.MethodGet {
		c.queries("pagelen", "page")
		values := []object{}
		for _, name := range c.users {
			values = append(values, object{"type": "workspace_membership", "user": cloudUser(c, name)})
		}
		cloudPage(c, values, 100)
		return
	}
	if c.URL.Path == "/2.0/user" && c.Method == http.MethodGet {
		c.reply(http.StatusOK, cloudUser(c, author))
		return
	}
	if c.URL.Path == "/2.0/repositories/"+owner && c.Method == http.MethodGet {
		cloudRepositories(c)
		return
	}
	path, ok := strings.CutPrefix(c.URL.Path, "/2.0/repositories/"+owner+"/"+project)
	if !ok {
		cloudFault(c, http.StatusNotFound, "Repository not found.")
		return
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if cloudHook(c, parts) || cloudRemark(c, parts) {
		return
	}
	if parts[0] == "commit" && insight(c, parts, true, func() {
		cloudFault(c, http.StatusForbidden, "Your credentials lack one or more required privilege scopes.")
	}) {
		return
	}
	switch route := c.Method + " " + strings.Join(numberless(parts), "/"); route {
	case "GET ":
		c.reply(http.StatusOK, object{"type": "repository", "full_name": owner + "/" + project})
	case "GET pullrequests":
		cloudList(c)
	case "POST pullrequests":
		cloudOpen(c)
	case "GET pullrequests/N", "PUT pullrequests/N", "GET pullrequests/N/comments", "POST pullrequests/N/comments",
		"PUT pullrequests/N/comments/N":
		number, _ := strconv.Atoi(parts[1])
		if number < 1 || number > len(c.pulls) {
			cloudFault(c, http.StatusNotFound, "Not found.")
			return
		}
		cloudOne(c, route, c.pulls[number-1])
	default:
		if c.Method == http.MethodPost && len(parts) == 4 && parts[0] == "commit" && parts[2]+"/"+parts[3] == "statuses/build" {
			in := buildStatus(c, parts[1])
			c.reply(http.StatusCreated, object{"type": "build", "key": in["key"], "state": in["state"]})
			return
		}
		c.wrong("there is no such route")
	}
}

func cloudUser(c *call, name string) object {
	id := strconv.Itoa(c.userID(name))
	return object{"type": "user", "uuid": "{0000-" + id + "}", "account_id": "557058:" + id, "nickname": name,
		"display_name": strings.ToUpper(name)}
}

// cloudPage writes a page of a list with the link to the next page in the body.
func cloudPage(c *call, values []object, most int) {
	size, _ := strconv.Atoi(c.URL.Query().Get("pagelen")) // page rejects anything that is not a number
	cut := page(c, values, "pagelen", most)
	out := object{"values": cut, "pagelen": size, "size": len(values)}
	if c.ResponseWriter.Header().Get("Link") != "" {
		out["next"] = "https://elsewhere.invalid/?page=2"
		c.ResponseWriter.Header().Del("Link")
	}
	c.reply(http.StatusOK, out)
}

var cloudFilter = regexp.MustCompile(`^source\.branch\.name = "([^"\\]*)"$`)

func cloudList(c *call) {
	c.queries("state", "q", "sort", "pagelen", "page")
	q := c.URL.Query()
	m := cloudFilter.FindStringSubmatch(q.Get("q"))
	if m == nil || q.Get("sort") != "-created_on" {
		c.wrong("q is %q", q.Get("q"))
		return
	}
	values := []object{}
	for _, p := range c.newest(m[1]) {
		if state := cloudState(p); slices.Contains(q["state"], state) || len(q["state"]) == 0 && state == "OPEN" {
			values = append(values, cloudPull(c, p))
		}
	}
	cloudPage(c, values, 50)
}

func cloudState(p *proposal) string {
	return map[string]string{"open": "OPEN", "merged": "MERGED", "closed": "DECLINED"}[p.state]
}

func cloudOpen(c *call) {
	in := c.fields("title!", "source!", "destination", "description", "draft", "reviewers", "close_source_branch")
	name := func(end any) string {
		branch, _ := end.(object)["branch"].(object)
		text, _ := branch["name"].(string)
		return text
	}
	head, base := name(in["source"]), name(in["destination"])
	for _, b := range []string{head, base} {
		if !c.branches[b] {
			c.reply(http.StatusBadRequest, object{"type": "error",
				"error": object{"fields": object{"source": []string{"branch not found"}},
					"message": "There is no branch named " + b}})
			return
		}
	}
	p := c.openFrom(head, base)
	if p == nil {
		p = c.add(&proposal{head: head, base: base})
	}
	// also if it is already open
	p.title, p.body, p.draft = in["title"].(string), in["description"].(string), in["draft"] == true
	c.reply(http.StatusCreated, cloudPull(c, p))
}

func cloudOne(c *call, route string, p *proposal) {
	switch route {
	case "GET pullrequests/N":
		c.reply(http.StatusOK, cloudPull(c, p))
	case "PUT pullrequests/N":
		in := c.fields("title!", "description", "draft", "reviewers", "destination", "close_source_branch")
		names := []string{}
		reviewers, _ := in["reviewers"].([]any)
		for _, r := range reviewers {
			id, _ := strconv.Atoi(strings.Trim(strings.TrimPrefix(r.(object)["uuid"].(string), "{0000-"), "}"))
			if id == 0 || c.users[id-1] == author {
				cloudFault(c, http.StatusBadRequest,
					"reviewers: "+author+" is the author and cannot be included as a reviewer.")
				return
			}
			names = append(names, c.users[id-1])
		}
		p.title, p.reviewer = in["title"].(string), names // a missing list removes all reviewers
		p.body, _ = in["description"].(string)
		p.draft = in["draft"] == true
		c.reply(http.StatusOK, cloudPull(c, p))
	case "POST pullrequests/N/comments":
		content := c.fields("content!", "inline", "parent")["content"].(object)
		made := c.addOwn(p, content["raw"].(string))
		c.reply(http.StatusCreated, object{"id": made.id, "content": object{"raw": made.text}})
	case "PUT pullrequests/N/comments/N":
		own := p.own(c.URL.Path[strings.LastIndexByte(c.URL.Path, '/')+1:])
		if own == nil {
			cloudFault(c, http.StatusNotFound, "Comment not found.")
			return
		}
		own.text = c.fields("content!")["content"].(object)["raw"].(string)
		c.reply(http.StatusOK, object{"id": own.id, "content": object{"raw": own.text}})
	case "GET pullrequests/N/comments":
		c.queries("pagelen", "page", "sort", "q")
		if c.URL.Query().Get("sort") != "-created_on" {
			c.wrong("order")
		}
		cloudPage(c, cloudComments(c, p), 100)
	}
}

func cloudComments(c *call, p *proposal) []object {
	list := []object{{"id": 1, "deleted": true, "content": object{"raw": "taken back"}, "user": nil,
		"created_on": p.when()}}
	for _, r := range p.remarks {
		o := object{"type": "pullrequest_comment", "id": r.id, "deleted": false,
			"content": object{"type": "rendered", "raw": r.text, "markup": "markdown", "html": "<p></p>"},
			"user":    cloudUser(c, r.author), "created_on": r.when.Format("2006-01-02T15:04:05.000000-07:00")}
		if r.at.File != "" {
			o["inline"] = object{"path": r.at.File, "to": r.at.Line, "from": nil}
		}
		list = append(list, o)
	}
	slices.Reverse(list)
	return list
}

func cloudPull(c *call, p *proposal) object {
	end := func(branch, full string) object {
		return object{"branch": object{"name": branch}, "commit": object{"type": "commit", "hash": p.commit()[:12]},
			"repository": object{"type": "repository", "full_name": full}}
	}
	reviewers := []object{}
	for _, name := range p.reviewer {
		reviewers = append(reviewers, cloudUser(c, name))
	}
	out := object{
		"type": "pullrequest", "id": p.number, "title": p.title, "description": p.body, "state": cloudState(p),
		"draft":     p.draft,
		"reviewers": reviewers, "merge_commit": nil, "created_on": p.created.Format(time.RFC3339Nano),
		"source": end(p.head, p.source()), "destination": end(p.base, owner+"/"+project),
		"author": cloudUser(c, author), "close_source_branch": false,
		"links": object{"html": object{"href": fmt.Sprintf("%s/%s/%s/pull-requests/%d", c.url, owner, project,
			p.number)}},
	}
	if p.state == "merged" {
		out["merge_commit"] = object{"hash": p.commit()[:12]}
	}
	return out
}
