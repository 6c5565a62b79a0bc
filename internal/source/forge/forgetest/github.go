package forgetest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

type object = map[string]any

// GitHub returns a fake of GitHub's REST API, including the one GraphQL mutation that drafts need, and the key that it
// accepts.
func GitHub(t testing.TB) (rig *Rig, key string) {
	w := newWorld(t, "github")
	w.serve(func(c *call) { gitHub(c) })
	rig = w.rig()
	w.addReleases(rig)
	return rig, w.key
}

// GitHubConnection returns the same fake as a Connection, with its address and key.
func GitHubConnection(t testing.TB) (c *Connection, url, key string) {
	w := newWorld(t, "github")
	w.serve(func(c *call) { gitHub(c) })
	return w.connection(owner), w.url, w.key
}

// gitHubAccount responds to requests about the user of the token.
func gitHubAccount(c *call) bool {
	switch c.Method + " " + c.URL.Path {
	case "GET /api/v3/user":
		c.ResponseWriter.Header().Set("X-OAuth-Scopes", "read:org, repo")
		c.reply(http.StatusOK, object{"login": author, "id": 2, "type": "User"})
	case "GET /api/v3/user/repos":
		c.queries("sort", "per_page", "page")
		list := []object{}
		for _, name := range c.repos {
			list = append(list, gitHubRepository(c, name))
		}
		c.reply(http.StatusOK, page(c, list, "per_page", 100))
	default:
		return false
	}
	return true
}

func gitHubRepository(c *call, name string) object {
	return object{"id": 1, "name": name, "full_name": owner + "/" + name, "private": true,
		"clone_url": c.url + "/" + owner + "/" + name + ".git", "default_branch": "main",
		"permissions": object{"admin": !c.demoted, "push": true, "pull": true}}
}

func gitHubHook(c *call, parts []string) bool {
	show := func(h storedHook) object {
		return object{"type": "Repository", "id": h.id, "name": "web", "active": true, "events": h.Events,
			"config": object{"content_type": "json", "insecure_ssl": "0", "url": h.URL, "secret": "********"}}
	}
	return c.hookCall(parts, http.MethodPatch, func() { gitHubMissing(c) }, show,
		func(list []object) { c.reply(http.StatusOK, page(c, list, "per_page", 100)) },
		func() InstalledHook {
			allowed := []string{"active", "events!", "config!"}
			if c.Method == http.MethodPost {
				allowed = append(allowed, "name!")
			}
			in := c.fields(allowed...)
			config := in["config"].(object)
			if config["content_type"] != "json" || config["insecure_ssl"] != "0" {
				c.wrong("config %v", config)
			}
			return InstalledHook{URL: config["url"].(string), Secret: config["secret"].(string),
				Events: c.events(texts(in["events"]), "push", "pull_request", "issue_comment",
					"pull_request_review_comment", "issues")}
		})
}

func gitHub(c *call) {
	if got := c.Request.Header.Get("Accept"); got != "application/vnd.github+json" && c.URL.Path != "/api/graphql" {
		c.wrong("Accept is %q", got)
	}
	if got := c.Request.Header.Get("X-GitHub-Api-Version"); got != "2022-11-28" {
		c.wrong("X-GitHub-Api-Version is %q", got)
	}
	if c.Request.Header.Get("User-Agent") == "" {
		c.wrong("there is no User-Agent")
	}
	if c.Request.Header.Get("Authorization") != "Bearer "+c.key {
		c.reply(http.StatusUnauthorized,
			object{"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"})
		return
	}
	if c.Method == http.MethodPost && c.URL.Path == "/api/graphql" {
		gitHubReady(c)
		return
	}
	if gitHubAccount(c) {
		return
	}
	path, ok := strings.CutPrefix(c.URL.Path, "/api/v3/repos/"+owner+"/"+project)
	if !ok {
		gitHubMissing(c)
		return
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if gitHubRelease(c) || gitHubHook(c, parts) || gitHubRemark(c, parts) {
		return
	}
	switch route := c.Method + " " + strings.Join(numberless(parts), "/"); route {
	case "GET ":
		c.ResponseWriter.Header().Set("X-OAuth-Scopes", "read:org, repo")
		c.reply(http.StatusOK, gitHubRepository(c, project))
	case "GET pulls":
		gitHubList(c)
	case "POST pulls":
		gitHubOpen(c)
	case "PATCH issues/comments/N":
		gitHubEdit(c, parts[2])
	default:
		if c.Method == http.MethodPost && parts[0] == "statuses" && len(parts) == 2 {
			in := c.fields("state!", "target_url", "description", "context")
			c.setStatus(parts[1], in["context"].(string), plainStates, in, "description", "target_url")
			c.reply(http.StatusCreated, object{"id": 1, "state": in["state"], "context": in["context"]})
			return
		}
		if !gitHubCheck(c, route, parts) {
			gitHubOne(c, route, parts)
		}
	}
}

// numberless replaces numbers with N.
func numberless(parts []string) []string {
	parts = slices.Clone(parts)
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "N"
		}
	}
	return parts
}

func gitHubMissing(c *call) {
	c.reply(http.StatusNotFound,
		object{"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"})
}

func gitHubOne(c *call, route string, parts []string) {
	number := 0
	if len(parts) > 1 {
		number, _ = strconv.Atoi(parts[1])
	}
	if number < 1 || number > len(c.pulls) {
		gitHubMissing(c)
		return
	}
	p := c.pulls[number-1]
	switch route {
	case "GET pulls/N":
		c.reply(http.StatusOK, gitHubPull(c, p))
	case "PATCH pulls/N":
		in := c.fields("title", "body", "state", "base", "maintainer_can_modify")
		p.title, p.body = in["title"].(string), in["body"].(string)
		c.reply(http.StatusOK, gitHubPull(c, p))
	case "POST issues/N/labels":
		for _, l := range c.fields("labels!")["labels"].([]any) {
			if !slices.Contains(p.labels, l.(string)) {
				p.labels = append(p.labels, l.(string))
			}
		}
		c.reply(http.StatusOK, []object{{"name": p.labels[0]}})
	case "POST issues/N/comments":
		made := c.addOwn(p, c.fields("body!")["body"].(string))
		c.reply(http.StatusCreated, object{"id": made.id, "body": made.text, "user": object{"login": author}})
	case "POST pulls/N/requested_reviewers":
		gitHubAsk(c, p)
	case "GET issues/N/comments", "GET pulls/N/comments", "GET pulls/N/reviews":
		c.queries("per_page", "page", "since", "sort", "direction")
		c.reply(http.StatusOK, page(c, gitHubComments(p, parts[0]+"/"+parts[2]), "per_page", 100))
	default:
		c.wrong("there is no such route")
	}
}

// gitHubEdit changes a comment. The path does not contain the number of its pull request.
func gitHubEdit(c *call, id string) {
	text := c.fields("body!")["body"].(string)
	for _, p := range slices.Concat(c.pulls, c.issues) {
		if own := p.own(id); own != nil {
			own.text = text
			c.reply(http.StatusOK, object{"id": own.id, "body": text})
			return
		}
	}
	gitHubMissing(c)
}

func gitHubList(c *call) {
	c.queries("state", "head", "base", "sort", "direction", "per_page", "page")
	q := c.URL.Query()
	from, head, ok := strings.Cut(q.Get("head"), ":")
	if !ok || from != owner || q.Get("state") != "all" || q.Get("sort") != "created" || q.Get("direction") != "desc" {
		c.wrong("head is %q", q.Get("head"))
	}
	list := []object{}
	for _, p := range c.newest(head) { // a fork of the same owner would be listed too
		list = append(list, gitHubPull(c, p))
	}
	c.reply(http.StatusOK, page(c, list, "per_page", 100))
}

func gitHubOpen(c *call) {
	in := c.fields("title!", "head!", "base!", "body", "draft", "maintainer_can_modify", "head_repo", "issue")
	head, base := in["head"].(string), in["base"].(string)
	invalid := func(entry object) {
		c.reply(http.StatusUnprocessableEntity, object{"message": "Validation Failed", "errors": []object{entry},
			"documentation_url": "https://docs.github.com/rest", "status": "422"})
	}
	switch {
	case !c.branches[head]:
		invalid(object{"resource": "PullRequest", "field": "head", "code": "invalid"})
	case !c.branches[base]:
		invalid(object{"resource": "PullRequest", "field": "base", "code": "invalid"})
	case c.openFrom(head, base) != nil:
		invalid(object{"resource": "PullRequest", "code": "custom",
			"message": "A pull request already exists for " + owner + ":" + head + "."})
	default:
		p := c.add(&proposal{title: in["title"].(string), body: in["body"].(string), head: head, base: base,
			draft: in["draft"] == true})
		c.reply(http.StatusCreated, gitHubPull(c, p))
	}
}

func gitHubAsk(c *call, p *proposal) {
	names := c.fields("reviewers", "team_reviewers")["reviewers"].([]any)
	for _, name := range names {
		if c.userID(name.(string)) == 0 || name == author {
			c.reply(http.StatusUnprocessableEntity,
				object{"message": "Reviews may only be requested from collaborators. One or more of the users " +
					"or teams you specified is not a collaborator of the " + owner + "/" + project + " repository."})
			return
		}
	}
	for _, name := range names {
		if !slices.Contains(p.reviewer, name.(string)) {
			p.reviewer = append(p.reviewer, name.(string))
		}
	}
	c.reply(http.StatusCreated, gitHubPull(c, p))
}

func gitHubReady(c *call) {
	in := c.fields("query!", "variables")
	if in["query"] == "query { viewer { login } }" {
		c.reply(http.StatusOK, object{"data": object{"viewer": object{"login": author}}})
		return
	}
	id, _ := in["variables"].(object)["id"].(string)
	number, err := strconv.Atoi(strings.TrimPrefix(id, "PR_"))
	if !strings.Contains(in["query"].(string), "markPullRequestReadyForReview(input: {pullRequestId: $id})") ||
		err != nil {
		c.wrong("query %v", in)
		return
	}
	p := c.pulls[number-1]
	p.draft = false
	c.reply(http.StatusOK, object{
		"data": object{"markPullRequestReadyForReview": object{"pullRequest": object{"isDraft": false}}}})
}

func gitHubPull(c *call, p *proposal) object {
	state, mergedAt := p.state, any(nil)
	if p.state == "merged" {
		state, mergedAt = "closed", p.when()
	}
	full := owner + "/" + project
	labels, reviewers := []object{}, []object{}
	for _, l := range p.labels {
		labels = append(labels, object{"name": l, "color": "ededed", "default": false})
	}
	for _, r := range p.reviewer {
		reviewers = append(reviewers, object{"login": r, "id": c.userID(r), "type": "User"})
	}
	return object{
		"url": c.url + "/api/v3/repos/" + full + "/pulls/" + strconv.FormatInt(p.number, 10), "id": 10_000 + p.number,
		"node_id":  "PR_" + strconv.FormatInt(p.number, 10),
		"html_url": c.url + "/" + full + "/pull/" + strconv.FormatInt(p.number, 10), "number": p.number, "state": state,
		"locked": false, "title": p.title,
		"user": object{"login": author, "id": c.userID(author), "type": "User"}, "body": p.body, "labels": labels,
		"milestone": nil, "draft": p.draft,
		"created_at": p.when(), "merged_at": mergedAt, "merge_commit_sha": p.commit(), "requested_reviewers": reviewers,
		"requested_teams": []object{},
		"head": object{"label": strings.Split(p.source(), "/")[0] + ":" + p.head, "ref": p.head, "sha": p.commit(),
			"repo": object{"id": 2, "full_name": p.source(), "fork": p.fork}},
		"base": object{"label": owner + ":" + p.base, "ref": p.base, "sha": p.commit(),
			"repo": object{"id": 1, "full_name": full, "fork": false}},
	}
}

func gitHubComments(p *proposal, kind string) []object {
	list := []object{}
	for _, r := range p.remarks {
		o := object{"id": r.id, "body": r.text, "user": object{"login": r.author},
			"created_at": r.when.Format(time.RFC3339), "author_association": "MEMBER"}
		switch {
		case kind == "issues/comments" && r.at.File == "":
			list = append(list, o)
		case kind == "pulls/comments" && r.at.File != "":
			o["path"], o["line"], o["original_line"], o["side"], o["diff_hunk"] = r.at.File, r.at.Line, r.at.Line,
				"RIGHT", "@@ -0,0 +1 @@"
			list = append(list, o)
		case kind == "pulls/reviews" && r.at.File != "":
			list = append(list, object{"id": r.id + 1, "body": "", "state": "COMMENTED",
				"user":         object{"login": colleague},
				"submitted_at": r.when.Format(time.RFC3339)})
		}
	}
	return list
}
