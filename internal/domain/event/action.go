package event

// Actions are all actions that are recorded, sorted. Tests compare them with what the packages record, with Words and
// with the guide.
var Actions = []string{
	"agent.archive", "agent.complete", "agent.fail", "agent.message", "agent.pull_closed", "agent.pull_merged",
	"agent.pull_reopened", "agent.start", "agent.stop",
	"alert.end", "alert.raise",
	"credential.create", "credential.delete", "credential.replace", "credential.test",
	"deployment.fail", "deployment.hold", "deployment.rollback", "deployment.start", "deployment.succeed",
	"directory_group.create", "directory_group.delete", "directory_group.update",
	"directory_user.create", "directory_user.delete", "directory_user.update",
	"domain.approve", "domain.prove", "domain.release",
	"export.cancel", "export.complete", "export.expire", "export.fail", "export.join", "export.link",
	"export.start",
	"feedback.update",
	"invitation.accept", "invitation.create", "invitation.revoke",
	"key.create", "key.leak", "key.revoke",
	"mail.fail",
	"member.add", "member.identity", "member.join", "member.password", "member.password_link",
	"member.password_reset", "member.recovery_codes", "member.recovery_used", "member.remove", "member.rename",
	"member.role", "member.sign_in", "member.sign_out", "member.totp_off", "member.totp_on",
	"organization.create", "organization.plan", "organization.rename",
	"playground.internal",
	"preview.remove", "preview.report_fail",
	"project.create", "project.delete", "project.install_webhook", "project.readers", "project.readers_end",
	"project.role_change", "project.role_give", "project.role_remove", "project.update",
	"proposal.close", "proposal.merge", "proposal.open",
	"session.end",
	"webhook.create", "webhook.delete", "webhook.off", "webhook.replay", "webhook.rotate", "webhook.test",
	"webhook.update",
}
