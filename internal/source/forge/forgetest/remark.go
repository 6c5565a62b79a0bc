package forgetest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// remarkCall responds to requests about the comments of an issue. path is the host's name for comments, text parses the
// comment in a request, and show formats a comment like the host.
func (c *call) remarkCall(parts []string, path string, missing func(), text func() string,
	show func(remark) object, page func([]object)) bool {
	if len(parts) < 3 || parts[0] != "issues" || parts[2] != path {
		return false
	}
	p := c.issue(parts[1])
	switch {
	case p == nil && len(parts[1]) < 4: // of a pull request
		return false
	case p == nil:
		missing()
	case c.Method == http.MethodPost && len(parts) == 3:
		c.reply(http.StatusCreated, show(c.addReply(p, text())))
	case c.Method == http.MethodPut && len(parts) == 4:
		own := p.own(parts[3])
		if own == nil {
			missing()
			return true
		}
		own.text = text()
		c.reply(http.StatusOK, show(*own))
	case c.Method == http.MethodGet && len(parts) == 3:
		list := []object{}
		for _, r := range p.remarks {
			list = append(list, show(r))
		}
		page(list)
	default:
		c.wrong("there is no such route")
	}
	return true
}

func gitHubRemark(c *call, parts []string) bool {
	if len(parts) == 3 && parts[0] == "collaborators" && parts[2] == "permission" && c.Method == http.MethodGet {
		switch level := c.level(parts[1]); {
		case c.demoted:
			c.reply(http.StatusForbidden, object{"message": "Must have push access to view collaborator permission."})
		case level == "":
			gitHubMissing(c)
		default:
			c.reply(http.StatusOK, object{"permission": level, "role_name": level, "user": object{"login": parts[1]}})
		}
		return true
	}
	return c.remarkCall(parts, "comments", func() { gitHubMissing(c) }, func() string { return c.fields("body!")["body"].(string) },
		func(r remark) object {
			return object{"id": r.id, "body": r.text, "user": object{"login": r.author}, "created_at": r.when.Format(time.RFC3339)}
		}, func(list []object) {
			c.queries("per_page", "page")
			c.reply(http.StatusOK, page(c, list, "per_page", 100))
		})
}

func gitLabRemark(c *call, parts []string) bool {
	missing := func() { c.reply(http.StatusNotFound, object{"message": "404 Not found"}) }
	if len(parts) == 3 && parts[0] == "members" && parts[1] == "all" && c.Method == http.MethodGet {
		level := map[string]int{"1": 30, "2": 40, "77": 20}[parts[2]]
		switch {
		case c.demoted:
			c.reply(http.StatusForbidden, object{"message": "403 Forbidden"})
		case level == 0:
			missing()
		default:
			c.reply(http.StatusOK, object{"id": 1, "state": "active", "access_level": level})
		}
		return true
	}
	return c.remarkCall(parts, "notes", missing, func() string { return c.fields("body!")["body"].(string) },
		func(r remark) object {
			return object{"id": r.id, "body": r.text, "system": false, "author": object{"username": r.author},
				"created_at": r.when.Format(time.RFC3339Nano)}
		}, func(list []object) {
			c.queries("sort", "order_by", "per_page", "page")
			slices.Reverse(list)
			c.reply(http.StatusOK, page(c, list, "per_page", 100))
		})
}

func cloudRemark(c *call, parts []string) bool {
	missing := func() { cloudFault(c, http.StatusNotFound, "Not found.") }
	if len(parts) == 3 && parts[0] == "permissions-config" && parts[1] == "users" && c.Method == http.MethodGet {
		level := map[string]string{"{0000-1}": "write", "{0000-77}": "read"}[parts[2]]
		switch {
		case c.demoted:
			cloudFault(c, http.StatusForbidden, "Your credentials lack one or more required privilege scopes.")
		case level == "":
			missing()
		default:
			c.reply(http.StatusOK, object{"type": "repository_user_permission", "permission": level})
		}
		return true
	}
	return c.remarkCall(parts, "comments", missing,
		func() string { return c.fields("content!")["content"].(object)["raw"].(string) },
		func(r remark) object {
			return object{"id": r.id, "content": object{"raw": r.text}, "user": cloudUser(c, r.author),
				"created_on": r.when.Format(time.RFC3339Nano)}
		}, func(list []object) {
			slices.Reverse(list)
			cloudPage(c, list, 100)
		})
}

// centerPermissions responds with the permissions granted in the repository or in its project.
func centerPermissions(c *call, project bool) {
	c.queries("filter", "limit", "start")
	if c.demoted {
		centerFault(c, http.StatusUnauthorized, "You are not permitted to access this resource", "AuthorisationException")
		return
	}
	list := []object{}
	for name, level := range map[string]string{colleague: "REPO_WRITE", visitor: "REPO_READ", colleague + "ed": "REPO_ADMIN"} {
		if !project && strings.Contains(name, c.URL.Query().Get("filter")) {
			list = append(list, object{"user": object{"name": name}, "permission": level})
		}
	}
	centerPage(c, list)
}
