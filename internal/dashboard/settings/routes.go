package settings

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// Routes returns the pages of an organization's settings.
func Routes() []shell.Route {
	return []shell.Route{
		// the only settings page that everyone may read
		shell.Page("/dashboard/settings", shell.Guest, back(organizationPath)),
		shell.Page(KeysPath, shell.Admin, listKeys),
		shell.Form(KeysPath, shell.Admin, createKey),
		shell.Form(KeysPath+"/{keyId}/revoke", shell.Admin, revokeKey),
		shell.Page(CredentialsPath, shell.Admin, listCredentials),
		shell.Form(CredentialsPath, shell.Admin, createCredential),
		shell.Form(CredentialsPath+"/{credentialId}/replace", shell.Admin, replaceCredential),
		shell.Form(CredentialsPath+"/{credentialId}/delete", shell.Admin, deleteCredential),
		shell.Form(CredentialsPath+"/{credentialId}/test", shell.Admin, testCredential),
		shell.Page(appPath, shell.Admin, beginApp),
		shell.Page(appBackPath, shell.Admin, finishApp),
		shell.Page(WebhooksPath, shell.Admin, listWebhooks),
		shell.Form(WebhooksPath, shell.Admin, createWebhook),
		shell.Page(WebhooksPath+"/{endpointId}", shell.Admin, showWebhook),
		shell.Form(WebhooksPath+"/{endpointId}", shell.Admin, changeWebhook),
		shell.Form(WebhooksPath+"/{endpointId}/state", shell.Admin, switchWebhook),
		shell.Form(WebhooksPath+"/{endpointId}/test", shell.Admin, testWebhook),
		shell.Form(WebhooksPath+"/{endpointId}/rotate", shell.Admin, rotateWebhook),
		shell.Form(WebhooksPath+"/{endpointId}/replay", shell.Admin, replayWebhook),
		shell.Form(WebhooksPath+"/{endpointId}/delete", shell.Admin, deleteWebhook),
		shell.LivePage(WebhooksPath+"/{endpointId}/deliveries/{deliveryId}", shell.Admin, showDelivery),
		shell.Form(WebhooksPath+"/{endpointId}/deliveries/{deliveryId}/replay", shell.Admin, replayDelivery),
		shell.Page(MembersPath, shell.Viewer, listMembers),
		shell.Form(MembersPath+"/{memberId}/role", shell.Admin, setRole),
		shell.Form(MembersPath+"/{memberId}/remove", shell.Guest, removeMember), // everyone may leave
		shell.Form(MembersPath+"/{memberId}/password-link", shell.Admin, makePasswordLink),
		shell.Form(MembersPath+"/invite", shell.Admin, invite),
		shell.Form(MembersPath+"/invitations/{invitationId}/withdraw", shell.Admin, withdrawInvitation),
		shell.Page(auditPath, shell.Admin, audit),
		shell.Page(auditPath+"/export", shell.Admin, exportAudit),
		shell.Page(auditPath+"/check", shell.Admin, checkAudit),
		shell.Page(organizationPath, shell.Guest, organization),
		shell.Form(organizationPath, shell.Admin, renameOrganization),
		shell.Page(KeysPath+"/{rest...}", shell.Admin, back(KeysPath)),
		shell.Page(CredentialsPath+"/{rest...}", shell.Admin, back(CredentialsPath)),
		shell.Page(WebhooksPath+"/{endpointId}/{rest...}", shell.Admin, backToWebhook),
		shell.Page(MembersPath+"/{rest...}", shell.Viewer, back(MembersPath)),
	}
}

const (
	KeysPath         = "/dashboard/settings/keys"
	CredentialsPath  = "/dashboard/settings/credentials"
	WebhooksPath     = "/dashboard/settings/webhooks"
	MembersPath      = "/dashboard/settings/members"
	auditPath        = "/dashboard/settings/audit"
	organizationPath = "/dashboard/settings/organization"
)

// back redirects to a page, from a URL that otherwise only accepts its forms: users open it when they reload or go
// back.
func back(path string) func(*shell.Board, *shell.Visit) error {
	return func(_ *shell.Board, v *shell.Visit) error {
		http.Redirect(v.W, v.R, path, http.StatusSeeOther)
		return nil
	}
}
