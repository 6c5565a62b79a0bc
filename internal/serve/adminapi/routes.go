package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Route is one operation of the API.
type Route struct {
	Method      string
	Pattern     string // as in api/openapi.yaml
	OperationID string
	Scope       account.Scope // required scope of a key; "" = no key needed
	Role        account.Role  // minimum role of a signed-in member, see api.permit
	Plan        account.Plan  // required plan of the organization; "" = any
	Idempotent  bool          // supports Idempotency-Key

	takes  bodyRule
	stream bool // a stream, without a time limit
	handle func(*api, *call) (response, error)
}

// bodyRule defines which body an operation accepts.
type bodyRule int

const (
	noBody    bodyRule = iota // a body is ignored
	emptyBody                 // no body, or an empty object
	jsonBody                  // an object, parsed by the handler
	mayBody                   // no body, or an object, parsed by the handler
	rawBody                   // signed, so the exact bytes matter; parsed by the handler
)

const (
	get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	put                   = http.MethodPut

	viewer, editor, admin = account.RoleViewer, account.RoleEditor, account.RoleAdmin
	guest                 = account.RoleGuest
	anybody               = account.Role("")

	open       = account.Scope("")
	read       = account.ScopeRead
	write      = account.ScopeWrite
	discovery  = account.ScopeDiscovery
	manage     = account.ScopeAdmin
	anyPlan    = account.Plan("")
	enterprise = account.PlanEnterprise
	once, many = true, false // whether the operation supports Idempotency-Key
)

// Routes returns every operation.
func Routes() []Route {
	return []Route{
		{post, "/v1/static-export/jobs", "startStaticExportJob", write, editor, enterprise, once, jsonBody, false,
			(*api).startExport},
		{get, "/v1/static-export/jobs", "listStaticExportJobs", read, viewer, enterprise, many, noBody, false,
			(*api).listExports},
		{get, "/v1/static-export/jobs/{jobId}", "getStaticExportJob", read, viewer, enterprise, many, noBody, false,
			(*api).getExport},
		{post, "/v1/static-export/jobs/{jobId}/bundle", "generateStaticExportBundle", write, editor, enterprise, many,
			emptyBody, false, (*api).createExportBundle},
		{post, "/v1/static-export/jobs/{jobId}/cancel", "cancelStaticExportJob", write, editor, enterprise, many,
			emptyBody, false, (*api).cancelExport},
		{get, "/v1/static-export/jobs/{jobId}/events", "streamStaticExportJob", read, viewer, enterprise, many, noBody,
			true, (*api).streamExport},

		{post, "/v1/agent/{projectId}/job", "createAgentJobV1", write, editor, anyPlan, once, jsonBody, true,
			(*api).createAgentJobV1},
		{get, "/v1/agent/{projectId}/job/{id}", "getAgentJobV1", read, viewer, anyPlan, many, noBody, false,
			(*api).getAgentJobV1},
		{get, "/v1/agent/{projectId}/jobs", "listAgentJobsV1", read, viewer, anyPlan, many, noBody, false,
			(*api).listAgentJobsV1},
		{post, "/v1/workflow/{projectId}/{workflowSchemaId}/trigger", "triggerWorkflow", write, editor, anyPlan, once,
			emptyBody, false, (*api).triggerWorkflow},

		{post, "/v1/projects/{projectId}/automations", "createAutomation", write, admin, anyPlan, many, jsonBody, false,
			(*api).createAutomation},
		{get, "/v1/projects/{projectId}/automations", "listAutomations", read, viewer, anyPlan, many, noBody, false,
			(*api).listAutomations},
		{get, "/v1/projects/{projectId}/automations/{automationId}", "getAutomation", read, viewer, anyPlan, many, noBody,
			false, (*api).getAutomation},
		{patch, "/v1/projects/{projectId}/automations/{automationId}", "updateAutomation", write, admin, anyPlan, many,
			jsonBody, false, (*api).updateAutomation},
		{post, "/v1/projects/{projectId}/automations/{automationId}/run", "runAutomation", write, editor, anyPlan, once,
			mayBody, false, (*api).runAutomation},
		{get, "/v1/projects/{projectId}/automations/{automationId}/runs", "listAutomationRuns", read, viewer, anyPlan, many,
			noBody, false, (*api).listAutomationRuns},
		{del, "/v1/projects/{projectId}/automations/{automationId}", "deleteAutomation", write, admin, anyPlan, many,
			noBody, false, (*api).deleteAutomation},

		{post, "/v1/projects/{projectId}/product-repositories", "createProductRepository", write, admin, anyPlan, many,
			jsonBody, false, (*api).createProduct},
		{get, "/v1/projects/{projectId}/product-repositories", "listProductRepositories", read, viewer, anyPlan, many,
			noBody, false, (*api).listProducts},
		{get, "/v1/projects/{projectId}/receipts", "listReceipts", read, viewer, anyPlan, many, noBody, false,
			(*api).listReceipts},
		{del, "/v1/projects/{projectId}/receipts/{receiptId}", "deleteReceipt", write, editor, anyPlan, many, noBody, false,
			(*api).deleteReceipt},
		{del, "/v1/projects/{projectId}/product-repositories/{productId}", "deleteProductRepository", write, admin, anyPlan,
			many, noBody, false, (*api).deleteProduct},

		{post, "/v2/agent/{projectId}/job", "createAgentJob", write, editor, anyPlan, once, jsonBody, false,
			(*api).createAgentJob},
		{post, "/v2/agent/{projectId}/edit", "submitEdit", write, editor, anyPlan, once, jsonBody, false,
			(*api).submitEdit},
		{get, "/v2/agent/{projectId}/files", "listSourceFiles", read, viewer, anyPlan, many, noBody, false,
			(*api).listSourceFiles},
		{get, "/v2/agent/{projectId}/file", "getSourceFile", read, viewer, anyPlan, many, noBody, false,
			(*api).getSourceFile},
		{get, "/v2/agent/{projectId}/job/{id}", "getAgentJob", read, viewer, anyPlan, many, noBody, false,
			(*api).getAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/redo", "redoAgentJob", write, editor, anyPlan, many, emptyBody,
			false, (*api).redoAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/message", "messageAgentJob", write, editor, anyPlan, once, jsonBody,
			false, (*api).messageAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/stop", "stopAgentJob", write, editor, anyPlan, many, emptyBody,
			false, (*api).stopAgentJob},
		{post, "/v2/agent/{projectId}/job/{id}/archive", "archiveAgentJob", write, editor, anyPlan, many, emptyBody,
			false, (*api).archiveAgentJob},
		{get, "/v2/agent/{projectId}/job/{id}/entries", "listAgentEntries", read, viewer, anyPlan, many, noBody, false,
			(*api).listAgentEntries},
		{get, "/v2/agent/{projectId}/job/{id}/events", "streamAgentJob", read, viewer, anyPlan, many, noBody, true,
			(*api).streamAgentJob},
		{get, "/v2/agent/{projectId}/jobs", "listAgentJobs", read, viewer, anyPlan, many, noBody, false,
			(*api).listAgentJobs},
		{get, "/v2/agent/{projectId}/proposals", "listProposals", read, viewer, anyPlan, many, noBody, false,
			(*api).listProposals},
		{get, "/v2/agent/{projectId}/proposal/{proposalId}", "getProposal", read, viewer, anyPlan, many, noBody, false,
			(*api).getProposal},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/merge", "mergeProposal", write, editor, anyPlan, many,
			emptyBody, false, (*api).mergeProposal},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/close", "closeProposal", write, editor, anyPlan, many,
			emptyBody, false, (*api).closeProposal},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/comments", "createProposalComment", write, editor, anyPlan,
			many, jsonBody, false, (*api).createProposalComment},
		{patch, "/v2/agent/{projectId}/proposal/{proposalId}/comments/{commentId}", "updateProposalComment", write,
			editor, anyPlan, many, jsonBody, false, (*api).updateProposalComment},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/comments/{commentId}/apply", "applyProposalSuggestion", write,
			editor, anyPlan, many, emptyBody, false, (*api).applyProposalSuggestion},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/send", "sendProposalComments", write, editor, anyPlan, many,
			emptyBody, false, (*api).sendProposalComments},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/update", "updateProposalBranch", write, editor, anyPlan,
			many, emptyBody, false, (*api).updateProposalBranch},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/keep", "keepProposalFiles", write, editor, anyPlan, many,
			jsonBody, false, (*api).keepProposalFiles},
		{post, "/v2/agent/{projectId}/proposal/{proposalId}/approve", "approveProposal", write, editor, anyPlan, many,
			jsonBody, false, (*api).approveProposal},

		{post, "/v1/projects", "createProject", write, admin, anyPlan, many, jsonBody, false, (*api).createProject},
		{get, "/v1/projects", "listProjects", read, viewer, anyPlan, many, noBody, false, (*api).listProjects},
		{get, "/v1/projects/{projectId}", "getProject", read, viewer, anyPlan, many, noBody, false, (*api).getProject},
		{patch, "/v1/projects/{projectId}", "updateProject", write, admin, anyPlan, many, jsonBody, false,
			(*api).updateProject},
		{del, "/v1/projects/{projectId}", "deleteProject", write, admin, anyPlan, many, noBody, false,
			(*api).deleteProject},

		{post, "/v1/projects/{projectId}/webhook", "installWebhook", write, admin, anyPlan, many, emptyBody, false,
			(*api).installWebhook},
		{get, "/v1/projects/{projectId}/reader-access", "getReaderAccess", read, viewer, anyPlan, many, noBody, false,
			(*api).getReaderAccess},
		{put, "/v1/projects/{projectId}/reader-access", "setReaderAccess", write, admin, anyPlan, many, jsonBody, false,
			(*api).setReaderAccess},
		{del, "/v1/projects/{projectId}/reader-sessions", "endReaderSessions", write, admin, anyPlan, many, noBody,
			false, (*api).endReaderSessions},

		{get, "/v1/projects/{projectId}/members", "listProjectMembers", manage, admin, anyPlan, many, noBody, false,
			(*api).listProjectMembers},
		{put, "/v1/projects/{projectId}/members/{memberId}", "setProjectMember", manage, admin, anyPlan, many, jsonBody,
			false, (*api).setProjectMember},
		{del, "/v1/projects/{projectId}/members/{memberId}", "removeProjectMember", manage, admin, anyPlan, many, noBody,
			false, (*api).removeProjectMember},

		{get, "/v1/domains", "listDomains", read, viewer, anyPlan, many, noBody, false, (*api).listDomains},
		{get, "/v1/domains/{domain}/certificate", "getDomainCertificate", read, viewer, anyPlan, many, noBody, false,
			(*api).getDomainCertificate},
		{post, "/v1/domains/{domain}/verify", "verifyDomain", write, admin, anyPlan, many, emptyBody, false,
			(*api).verifyDomain},

		{post, "/v1/project/update/{projectId}", "startUpdate", write, editor, anyPlan, once, mayBody, false,
			(*api).startUpdate},
		{get, "/v1/project/update-status/{statusId}", "getUpdateStatus", read, viewer, anyPlan, many, noBody, false,
			(*api).getUpdateStatus},
		{post, "/v1/project/preview/{projectId}", "startPreview", write, editor, anyPlan, once, jsonBody, false,
			(*api).startPreview},
		{get, "/v1/projects/{projectId}/deployments", "listDeployments", read, viewer, anyPlan, many, noBody, false,
			(*api).listDeployments},
		{post, "/v1/project/rollback/{projectId}", "rollBack", write, editor, anyPlan, many, jsonBody, false,
			(*api).rollBack},
		{post, "/v1/webhook/{projectId}", "receivePush", open, anybody, anyPlan, many, rawBody, false,
			(*api).receivePush},

		{post, "/discovery/v1/search/{domain}", "searchSite", discovery, viewer, anyPlan, many, jsonBody, false,
			(*api).searchSite},
		{post, "/discovery/v1/page/{domain}", "readSitePage", discovery, viewer, anyPlan, many, jsonBody, false,
			(*api).readSitePage},
		{post, "/discovery/v1/assistant/{domain}/message", "askAssistantV1", discovery, viewer, anyPlan, many, jsonBody,
			true, (*api).askAssistantV1},
		{post, "/discovery/v2/assistant/{domain}/message", "askAssistant", discovery, viewer, anyPlan, many, jsonBody,
			true, (*api).askAssistant},

		{get, "/v1/analytics/{projectId}/assistant", "listQuestions", read, viewer, anyPlan, many, noBody, false,
			(*api).listQuestions},
		{get, "/v1/analytics/{projectId}/assistant/threads/{threadId}", "getThread", read, viewer, anyPlan, many,
			noBody, false, (*api).getThread},
		{get, "/v1/analytics/{projectId}/assistant/caller-stats", "countQuestions", read, viewer, anyPlan, many, noBody,
			false, (*api).countQuestions},

		{get, "/v1/analytics/{projectId}/summary", "getAnalyticsSummary", read, viewer, anyPlan, many, noBody, false,
			(*api).getAnalyticsSummary},
		{get, "/v1/analytics/{projectId}/views", "listViews", read, viewer, anyPlan, many, noBody, false,
			(*api).listViews},
		{get, "/v1/analytics/{projectId}/visitors", "listVisitors", read, viewer, anyPlan, many, noBody, false,
			(*api).listVisitors},
		{get, "/v1/analytics/{projectId}/searches", "listSearches", read, viewer, anyPlan, many, noBody, false,
			(*api).listSearches},
		{get, "/v1/analytics/{projectId}/referrers", "listReferrers", read, viewer, anyPlan, many, noBody, false,
			(*api).listReferrers},
		{get, "/v1/analytics/{projectId}/missing", "listMissing", read, viewer, anyPlan, many, noBody, false,
			(*api).listMissing},
		{get, "/v1/analytics/{projectId}/playground", "listTries", read, viewer, anyPlan, many, noBody, false,
			(*api).listTries},
		{get, "/v1/analytics/{projectId}/feedback", "listFeedback", read, viewer, anyPlan, many, noBody, false,
			(*api).listFeedback},
		{get, "/v1/analytics/{projectId}/feedback/by-page", "listFeedbackByPage", read, viewer, anyPlan, many, noBody,
			false, (*api).listFeedbackByPage},
		{patch, "/v1/analytics/{projectId}/feedback/{feedbackId}", "updateFeedback", write, editor, anyPlan, many,
			jsonBody, false, (*api).updateFeedback},
		{get, "/v1/projects/{projectId}/blocked", "listBlocked", read, viewer, anyPlan, many, noBody, false,
			(*api).listBlocked},

		{get, "/v1/organization", "getOrganization", read, guest, anyPlan, many, noBody, false,
			(*api).getOrganization},
		{patch, "/v1/organization", "renameOrganization", manage, admin, anyPlan, many, jsonBody, false,
			(*api).renameOrganization},
		{get, "/v1/members", "listMembers", manage, viewer, anyPlan, many, noBody, false, (*api).listMembers},
		{patch, "/v1/members/{memberId}", "setMemberRole", manage, admin, anyPlan, many, jsonBody, false,
			(*api).setMemberRole},
		// Anyone may leave; the handler decides who may remove others.
		{del, "/v1/members/{memberId}", "removeMember", manage, guest, anyPlan, many, noBody, false,
			(*api).removeMember},
		{post, "/v1/members/{memberId}/password-link", "createPasswordLink", manage, admin, anyPlan, many, emptyBody,
			false, (*api).createPasswordLink},
		{post, "/v1/invitations", "createInvitation", manage, admin, anyPlan, many, jsonBody, false,
			(*api).createInvitation},
		{get, "/v1/invitations", "listInvitations", manage, admin, anyPlan, many, noBody, false,
			(*api).listInvitations},
		{del, "/v1/invitations/{invitationId}", "revokeInvitation", manage, admin, anyPlan, many, noBody, false,
			(*api).revokeInvitation},
		{get, "/v1/events", "listEvents", read, admin, anyPlan, many, noBody, false, (*api).listEvents},
		{get, "/v1/events/check", "checkEvents", read, admin, anyPlan, many, noBody, true, (*api).checkEvents},
		{get, "/v1/events/export", "exportEvents", read, admin, anyPlan, many, noBody, true, (*api).exportEvents},

		{post, "/v1/keys", "createKey", manage, admin, anyPlan, many, jsonBody, false, (*api).createKey},
		{get, "/v1/keys", "listKeys", manage, admin, anyPlan, many, noBody, false, (*api).listKeys},
		{del, "/v1/keys/{keyId}", "revokeKey", manage, admin, anyPlan, many, noBody, false, (*api).revokeKey},

		{post, "/v1/credentials", "createCredential", account.ScopeAdmin, admin, anyPlan, many, jsonBody, false,
			(*api).createCredential},
		{get, "/v1/credentials", "listCredentials", account.ScopeAdmin, admin, anyPlan, many, noBody, false,
			(*api).listCredentials},
		{post, "/v1/credentials/{credentialId}/test", "testCredential", manage, admin, anyPlan, many, mayBody, false,
			(*api).testCredential},
		{get, "/v1/credentials/{credentialId}/repositories", "listRepositories", manage, admin, anyPlan, many, noBody,
			false, (*api).listRepositories},
		{put, "/v1/credentials/{credentialId}", "replaceCredential", account.ScopeAdmin, admin, anyPlan, many, jsonBody,
			false, (*api).replaceCredential},
		{del, "/v1/credentials/{credentialId}", "deleteCredential", account.ScopeAdmin, admin, anyPlan, many, noBody,
			false, (*api).deleteCredential},

		{post, "/v1/webhook-endpoints", "createWebhookEndpoint", manage, admin, anyPlan, many, jsonBody, false,
			(*api).createEndpoint},
		{get, "/v1/webhook-endpoints", "listWebhookEndpoints", manage, admin, anyPlan, many, noBody, false,
			(*api).listEndpoints},
		{get, "/v1/webhook-endpoints/{endpointId}", "getWebhookEndpoint", manage, admin, anyPlan, many, noBody, false,
			(*api).getEndpoint},
		{patch, "/v1/webhook-endpoints/{endpointId}", "updateWebhookEndpoint", manage, admin, anyPlan, many, jsonBody,
			false, (*api).updateEndpoint},
		{post, "/v1/webhook-endpoints/{endpointId}/secret", "rotateWebhookEndpointSecret", manage, admin, anyPlan, many,
			emptyBody, false, (*api).rotateEndpoint},
		{post, "/v1/webhook-endpoints/{endpointId}/test", "testWebhookEndpoint", manage, admin, anyPlan, many,
			emptyBody, false, (*api).testEndpoint},
		{post, "/v1/webhook-endpoints/{endpointId}/replay", "replayWebhookDeliveries", manage, admin, anyPlan, many,
			jsonBody, false, (*api).replayDeliveries},
		{get, "/v1/webhook-endpoints/{endpointId}/deliveries", "listWebhookDeliveries", manage, admin, anyPlan, many,
			noBody, false, (*api).listDeliveries},
		{get, "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}", "getWebhookDelivery", manage, admin,
			anyPlan, many, noBody, false, (*api).getDelivery},
		{post, "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay", "replayWebhookDelivery", manage,
			admin, anyPlan, many, emptyBody, false, (*api).replayDelivery},
		{del, "/v1/webhook-endpoints/{endpointId}", "deleteWebhookEndpoint", manage, admin, anyPlan, many, noBody,
			false, (*api).deleteEndpoint},

		{post, "/v1/leaked-keys", "reportLeakedKeys", open, anybody, anyPlan, many, rawBody, false,
			(*api).reportLeakedKeys},

		{get, "/v1/deployment", "getDeployment", read, guest, anyPlan, many, noBody, false, (*api).getDeployment},
		{get, "/openapi.json", "getOpenAPI", open, anybody, anyPlan, many, noBody, false, (*api).getOpenAPI},
		{get, "/healthz", "getHealth", open, anybody, anyPlan, many, noBody, false, (*api).getHealth},
		{get, "/readyz", "getReadiness", open, anybody, anyPlan, many, noBody, false, (*api).getReadiness},
	}
}
