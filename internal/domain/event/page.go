package event

import "github.com/lectern-docs/lectern/internal/foundation/id"

// Project returns the id of the event's project; "" if there is none.
func (e Event) Project() string {
	if id.Has(id.Project, e.Target) {
		return e.Target
	}
	return e.Data["project"]
}

// Page returns the path of the dashboard page about the event; "" if there is none.
func (e Event) Page() string {
	project := e.Project()
	switch {
	case e.Action == "project.delete":
		return ""
	case id.Has(id.Deployment, e.Target):
		return "/dashboard/deployments/" + e.Target
	case id.Has(id.Export, e.Target):
		return "/dashboard/exports/" + e.Target
	case id.Has(id.AgentJob, e.Target) && id.Has(id.Project, project):
		return "/dashboard/projects/" + project + "/agent/" + e.Target
	case id.Has(id.Automation, e.Target) && id.Has(id.Project, project) && e.Action != "automation.delete":
		return "/dashboard/projects/" + project + "/automations/" + e.Target
	case id.Has(id.Proposal, e.Target) && id.Has(id.Project, project):
		return "/dashboard/projects/" + project + "/proposals/" + e.Target
	case id.Has(id.Endpoint, e.Target) && e.Action != "webhook.delete":
		return "/dashboard/settings/webhooks/" + e.Target
	case id.Has(id.Key, e.Target):
		return "/dashboard/settings/keys#" + e.Target
	case id.Has(id.Credential, e.Target):
		return "/dashboard/settings/credentials#" + e.Target
	case id.Has(id.Member, e.Target), id.Has(id.Invitation, e.Target):
		return "/dashboard/settings/members#" + e.Target
	case id.Has(id.Project, project):
		return "/dashboard/projects/" + project
	}
	return ""
}
