package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/account"
)

// Route is one operation of the API.
type Route struct {
	Method      string
	Pattern     string // as in api/openapi.yaml
	OperationID string
	Scope       account.Scope // what a key needs; "" = no key is asked for
	Plan        account.Plan  // what the organization needs; "" = any
	Idempotent  bool          // takes Idempotency-Key

	takes  bodyRule
	stream bool // answers as long as it likes
	handle func(*api, *call) (answer, error)
}

// bodyRule says which body an operation takes.
type bodyRule int

const (
	noBody    bodyRule = iota // whatever comes is not read
	emptyBody                 // none, or an empty object
	jsonBody                  // an object; the handler reads it
	rawBody                   // a code host's event, whose exact bytes count; the handler reads it
)

const (
	get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete

	open       = account.Scope("")
	read       = account.ScopeRead
	write      = account.ScopeWrite
	discovery  = account.ScopeDiscovery
	anyPlan    = account.Plan("")
	enterprise = account.PlanEnterprise
	once, many = true, false // whether Idempotency-Key makes a repeat safe
)

// Routes lists every operation.
func Routes() []Route {
	return []Route{
		{post, "/v1/static-export/jobs", "startExport", write, enterprise, once, jsonBody, false, (*api).startExport},
		{get, "/v1/static-export/jobs", "listExports", read, enterprise, many, noBody, false, (*api).listExports},
		{get, "/v1/static-export/jobs/{jobId}", "getExport", read, enterprise, many, noBody, false, (*api).getExport},
		{post, "/v1/static-export/jobs/{jobId}/bundle", "createExportBundle", write, enterprise, many, emptyBody, false, (*api).createExportBundle},
		{post, "/v1/static-export/jobs/{jobId}/cancel", "cancelExport", write, enterprise, many, emptyBody, false, (*api).cancelExport},
		{get, "/v1/static-export/jobs/{jobId}/events", "streamExport", read, enterprise, many, noBody, true, (*api).streamExport},

		{post, "/v2/agent/{projectId}/job", "createAgentJob", write, anyPlan, once, jsonBody, false, (*api).createAgentJob},
		{get, "/v2/agent/{projectId}/job/{id}", "getAgentJob", read, anyPlan, many, noBody, false, (*api).getAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/message", "messageAgentJob", write, anyPlan, once, jsonBody, false, (*api).messageAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/archive", "archiveAgentJob", write, anyPlan, many, emptyBody, false, (*api).archiveAgentJob},
		{get, "/v2/agent/{projectId}/job/{id}/events", "streamAgentJob", read, anyPlan, many, noBody, true, (*api).streamAgentJob},
		{get, "/v2/agent/{projectId}/jobs", "listAgentJobs", read, anyPlan, many, noBody, false, (*api).listAgentJobs},
		{get, "/v2/agent/{projectId}/proposals", "listProposals", read, anyPlan, many, noBody, false, (*api).listProposals},
		{get, "/v2/agent/{projectId}/proposal/{proposalId}", "getProposal", read, anyPlan, many, noBody, false, (*api).getProposal},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/merge", "mergeProposal", write, anyPlan, many, emptyBody, false, (*api).mergeProposal},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/close", "closeProposal", write, anyPlan, many, emptyBody, false, (*api).closeProposal},

		{post, "/v1/projects", "createProject", write, anyPlan, many, jsonBody, false, (*api).createProject},
		{get, "/v1/projects", "listProjects", read, anyPlan, many, noBody, false, (*api).listProjects},
		{get, "/v1/projects/{projectId}", "getProject", read, anyPlan, many, noBody, false, (*api).getProject},
		{patch, "/v1/projects/{projectId}", "updateProject", write, anyPlan, many, jsonBody, false, (*api).updateProject},
		{del, "/v1/projects/{projectId}", "deleteProject", write, anyPlan, many, noBody, false, (*api).deleteProject},

		{post, "/v1/project/update/{projectId}", "startUpdate", write, anyPlan, once, emptyBody, false, (*api).startUpdate},
		{get, "/v1/project/update-status/{statusId}", "getUpdateStatus", read, anyPlan, many, noBody, false, (*api).getUpdateStatus},
		{post, "/v1/project/preview/{projectId}", "startPreview", write, anyPlan, once, jsonBody, false, (*api).startPreview},
		{post, "/v1/webhook/{projectId}", "receivePush", open, anyPlan, many, rawBody, false, (*api).receivePush},

		{post, "/discovery/v1/search/{domain}", "searchSite", discovery, anyPlan, many, jsonBody, false, (*api).searchSite},
		{post, "/discovery/v1/page/{domain}", "readSitePage", discovery, anyPlan, many, jsonBody, false, (*api).readSitePage},

		{post, "/v1/keys", "createKey", write, anyPlan, many, jsonBody, false, (*api).createKey},
		{get, "/v1/keys", "listKeys", read, anyPlan, many, noBody, false, (*api).listKeys},
		{del, "/v1/keys/{keyId}", "revokeKey", write, anyPlan, many, noBody, false, (*api).revokeKey},

		{get, "/v1/deployment", "getDeployment", read, anyPlan, many, noBody, false, (*api).getDeployment},
		{get, "/openapi.json", "getOpenAPI", open, anyPlan, many, noBody, false, (*api).getOpenAPI},
		{get, "/healthz", "getHealth", open, anyPlan, many, noBody, false, (*api).getHealth},
		{get, "/readyz", "getReadiness", open, anyPlan, many, noBody, false, (*api).getReadiness},
	}
}
