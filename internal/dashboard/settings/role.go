package settings

import (
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// RoleRow is one line of the table of permissions by role.
type RoleRow struct {
	May   string
	Least account.Role
	Calls []string // operations of the admin API
}

// Given reports whether a role has the permission. Used by the template.
func (r RoleRow) Given(role account.Role) bool { return role.AtLeast(r.Least) }

// RoleRows describes the minimum roles of the admin API's routes; a test compares the two.
func RoleRows() []RoleRow {
	return []RoleRow{
		{"Read projects, deployments, previews, exports, agent jobs, automations and proposals", shell.Viewer,
			[]string{"listProjects", "getProject", "getReaderAccess", "listDomains", "getDomainCertificate",
				"getUpdateStatus", "listDeployments", "listBlocked", "listStaticExportJobs", "getStaticExportJob", "streamStaticExportJob",
				"listProductRepositories", "listReceipts", "listAutomations", "getAutomation", "listAutomationRuns",
				"listAgentJobs", "getAgentJob", "listSourceFiles", "getSourceFile", "listAgentEntries", "streamAgentJob", "listProposals", "getProposal",
				"listAgentJobsV1", "getAgentJobV1"}},
		{"Search and read published sites", shell.Viewer,
			[]string{"searchSite", "readSitePage", "askAssistant", "askAssistantV1"}},
		{"See analytics, searches, questions and feedback", shell.Viewer,
			[]string{"getAnalyticsSummary", "listViews", "listVisitors", "listSearches", "listReferrers",
				"listMissing", "listTries", "listFeedback", "listFeedbackByPage", "listQuestions", "getThread",
				"countQuestions"}},
		{"See the members of the organization", shell.Viewer, []string{"listMembers"}},
		{"See the name and plan of the organization and the features of this server", shell.Guest,
			[]string{"getOrganization", "getDeployment"}},
		{"Leave the organization", shell.Guest, []string{"removeMember"}},
		{"Update the status of feedback", shell.Editor, []string{"updateFeedback"}},
		{"Start updates and previews, roll back", shell.Editor, []string{"startUpdate", "startPreview", "rollBack"}},
		{"Start and cancel exports, create download links", shell.Editor,
			[]string{"startStaticExportJob", "cancelStaticExportJob", "generateStaticExportBundle"}},
		{"Start, reply to, redo, stop and archive agent jobs, run automations, merge and close proposals", shell.Editor,
			[]string{"createAgentJob", "submitEdit", "messageAgentJob", "redoAgentJob", "stopAgentJob", "archiveAgentJob",
				"mergeProposal", "closeProposal", "createAgentJobV1", "triggerWorkflow", "runAutomation"}},
		{"Mark what pages rely on as reviewed", shell.Editor, []string{"deleteReceipt"}},
		{"Comment on proposals, approve and edit them", shell.Editor,
			[]string{"createProposalComment", "updateProposalComment", "applyProposalSuggestion",
				"sendProposalComments", "updateProposalBranch", "keepProposalFiles", "approveProposal"}},
		{"Add, change and delete projects", shell.Admin,
			[]string{"createProject", "updateProject", "deleteProject", "verifyDomain", "installWebhook"}},
		{"Add, change and delete automations, connect product repositories", shell.Admin,
			[]string{"createAutomation", "updateAutomation", "deleteAutomation", "createProductRepository",
				"deleteProductRepository"}},
		{"Change who may read a site, sign its readers out", shell.Admin,
			[]string{"setReaderAccess", "endReaderSessions"}},
		{"Give, change and remove roles in single projects", shell.Admin,
			[]string{"listProjectMembers", "setProjectMember", "removeProjectMember"}},
		{"See, create and revoke API keys", shell.Admin, []string{"listKeys", "createKey", "revokeKey"}},
		{"See, store, replace, test and delete repository credentials, list their repositories", shell.Admin,
			[]string{"listCredentials", "createCredential", "replaceCredential", "deleteCredential", "testCredential",
				"listRepositories"}},
		{"See, add, change, test and delete webhook endpoints, replay deliveries", shell.Admin,
			[]string{"listWebhookEndpoints", "createWebhookEndpoint", "getWebhookEndpoint", "updateWebhookEndpoint",
				"rotateWebhookEndpointSecret", "testWebhookEndpoint", "deleteWebhookEndpoint", "listWebhookDeliveries",
				"getWebhookDelivery", "replayWebhookDelivery", "replayWebhookDeliveries"}},
		{"Invite people, change roles, remove members, create password links", shell.Admin,
			[]string{"createInvitation", "listInvitations",
				"revokeInvitation", "setMemberRole", "createPasswordLink"}},
		{"Read, export and verify the audit log", shell.Admin, []string{"listEvents", "exportEvents", "checkEvents"}},
		{"Rename the organization", shell.Admin, []string{"renameOrganization"}},
		{"Add, change and remove owners", account.RoleOwner, nil}, // the API decides this by the member concerned
	}
}
