package settings

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

// auditPage is the data of the audit log page.
type auditPage struct {
	FormError *shell.PageError // error in the filter; nil = none
	Filter    auditFilter
	Actors    []choice
	Actions   []actionGroup
	Events    []eventRow
	Next      string             // cursor of older events
	Check     *client.EventCheck // nil = not requested
}

// FieldErrors returns the errors of the filter's fields, by name.
func (p auditPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// choice is an option of a select element.
type choice struct{ Value, Text string }

// actionGroup contains the actions on one kind of object.
type actionGroup struct {
	Noun    string
	Actions []string
}

// eventRow is an event described in words.
type eventRow struct {
	client.Event
	Who, Did string
	Path     string // path of the target's page; "" = none
}

func audit(b *shell.Board, v *shell.Visit) error {
	return showAudit(v, auditPage{Filter: readAuditFilter(v)})
}

// checkAudit requests a check of the hash chain. It changes nothing, so it is a page and not a form.
func checkAudit(b *shell.Board, v *shell.Visit) error {
	check, err := v.API.CheckEvents(v.Ctx())
	if err != nil {
		return err
	}
	return showAudit(v, auditPage{Check: check})
}

// exportAudit streams the API's file, which may be long.
func exportAudit(b *shell.Board, v *shell.Visit) error {
	f := readAuditFilter(v)
	if _, pageErr := f.events(); pageErr != nil {
		return showAudit(v, auditPage{Filter: f})
	}
	format := "ndjson"
	if v.Query("format") == "csv" {
		format = "csv"
	}
	v.Pass(http.MethodGet, f.File(format))
	return nil
}

// showAudit loads the events that match the filter, and shows the page.
func showAudit(v *shell.Visit, page auditPage) error {
	names, err := auditNames(v, &page)
	if err != nil {
		return err
	}
	page.Actions = actionGroups(page.Filter.Action)
	status := http.StatusOK
	params, pageErr := page.Filter.events()
	if page.FormError = pageErr; pageErr == nil {
		params.Limit, params.Cursor = 50, v.Query("cursor")
		list, err := v.API.ListEvents(v.Ctx(), params)
		if err != nil {
			if page.FormError = shell.FormError(err); page.FormError == nil {
				return err
			}
		} else {
			page.Next = shell.Text(list.NextCursor)
			for _, e := range list.Events {
				who, did := EventWords(e, names)
				page.Events = append(page.Events, eventRow{e, who, did, asEvent(e).Page()})
			}
		}
	}
	if page.FormError != nil {
		status = page.FormError.Status
	}
	return v.Show(status, "audit", shell.Frame{Title: "Audit log", Section: "audit"}, page)
}

// auditNames lists the actors for the filter, and returns the names of projects. Former members can still be
// selected: events link to other events of the same actor.
func auditNames(v *shell.Visit, page *auditPage) (map[string]string, error) {
	members, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return nil, err
	}
	keys, err := v.API.ListKeys(v.Ctx(), client.ListKeysParams{Limit: 100})
	if err != nil {
		return nil, err
	}
	projects, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100})
	if err != nil {
		return nil, err
	}
	for _, m := range members.Members {
		page.Actors = append(page.Actors, choice{m.MemberID, m.Email})
	}
	for _, k := range keys.Keys {
		page.Actors = append(page.Actors, choice{k.KeyID, "Key " + k.Label + " (" + k.Prefix + "…)"})
	}
	page.Actors = append(page.Actors, choice{"operator", "The server's operator"}, choice{"system", "The server"},
		choice{"webhook", "The code host"}, choice{"oidc", "The identity provider"}, choice{"saml", "The identity provider (SAML)"},
		choice{"visitor", "Visitors of sites"})
	if a := page.Filter.Actor; a != "" &&
		!slices.ContainsFunc(page.Actors, func(c choice) bool { return c.Value == a }) {
		page.Actors = append(page.Actors, choice{a, a})
	}
	names := map[string]string{}
	for _, p := range projects.Projects {
		names[p.ProjectID] = p.Name
	}
	return names, nil
}

// actionGroups groups the actions by noun; it adds the requested action if that is unknown.
func actionGroups(asked string) (out []actionGroup) {
	known := asked == ""
	for _, w := range event.Words {
		noun, _, _ := strings.Cut(w.Action, ".")
		if len(out) == 0 || out[len(out)-1].Noun != noun {
			out = append(out, actionGroup{Noun: noun})
		}
		last := &out[len(out)-1]
		last.Actions = append(last.Actions, w.Action)
		known = known || asked == noun || asked == w.Action
	}
	if !known {
		out = append(out, actionGroup{Noun: asked})
	}
	return out
}

// EventWords describes an event's actor and action. names maps ids to names, in addition to those in the event; it
// may be nil.
func EventWords(e client.Event, names map[string]string) (who, did string) {
	all := map[string]string{}
	maps.Copy(all, names)
	if e.ActorName != nil {
		all[e.Actor] = *e.ActorName
	}
	if e.TargetName != nil {
		all[e.Target] = *e.TargetName
	}
	v := asEvent(e)
	return v.Who(all), v.Did(all)
}

func asEvent(e client.Event) event.Event {
	return event.Event{Actor: e.Actor, Action: e.Action, Target: e.Target, Data: e.Data}
}
