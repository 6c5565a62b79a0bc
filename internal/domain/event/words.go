package event

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Word describes one action. Placeholders such as {target} and {label} are replaced by the event's target and data;
// text in brackets is left out if the event lacks the value. Self is used instead of Tell if the actor is the target.
type Word struct{ Action, Tell, Self string }

// Words describe all actions, grouped by noun, in the order of the dashboard's filter list.
var Words = []Word{
	{"project.create", "added the project {target}[ for {domain}]", ""},
	{"project.update", "changed the project {target}[: {fields}]", ""},
	{"project.delete", "deleted the project {target}", ""},
	{"project.install_webhook", "installed the webhook of {name|target}[ at {repository}]", ""},
	{"project.product_connect", "connected the product repository {name|target}[ at {repository}][ to {project}]", ""},
	{"project.product_disconnect", "disconnected the product repository {name|target}[ at {repository}][ from {project}]", ""},
	{"project.readers", "changed who may read {target}[ from {before}][ to {after}]", ""},
	{"project.role_give", "gave {email|member} the role {role} in {target}", ""},
	{"project.role_change", "changed the role of {email|member} in {target}[ from {before}][ to {after}]", ""},
	{"project.role_remove", "removed the role of {email|member} in {target}[ ({role})]", ""},
	{"project.readers_end", "signed out all readers of {target}[ ({sessions})]", ""},
	{"domain.prove", "verified the domain {target}[ ({proof})][ of {project}]", ""},
	{"domain.approve", "approved the domain {target}[, which is {state} now]", ""},
	{"domain.release", "released the domain {target}[, which was {before}]", ""},
	{"deployment.start", "started an update[ of {project}][ ({kind})][ on branch {branch}]", ""},
	{"deployment.succeed", "finished the update {target}[ of {project}][ ({kind})][ on branch {branch}]", ""},
	{"deployment.fail", "could not finish the update {target}[ of {project}][ ({kind})][ on branch {branch}]", ""},
	{"deployment.hold", "held the update {target}[ of {project}], which would remove too many pages", ""},
	{"deployment.rollback", "rolled [{project} ]back to {target}[ from {from}]", ""},
	{"preview.remove", "removed the preview of pull request {number} of {target}[ ({reason})]", ""},
	{"preview.report_fail", "could not report the preview of pull request {number} of {target} to its code host[: {reason}]", ""},
	{"export.start", "started an export[ of {domain}][, version {version}]", ""},
	{"export.join", "requested an export[ of {domain}] that was already in progress", ""},
	{"export.complete", "completed the export {target}[ of {domain}][, version {version}]", ""},
	{"export.fail", "could not complete the export {target}[ of {domain}][ ({code})]", ""},
	{"export.link", "created a download link[ ({format})] for the export {target}", ""},
	{"export.cancel", "cancelled the export {target}", ""},
	{"export.expire", "removed the bundle of the export {target}[ of {domain}][ because of {reason}]", ""},
	{"agent.start", "started an agent job[ on {project}][ with {model}][ ({mode})][ for the automation {automation}]", ""},
	{"agent.edit", "submitted an edit as the agent job {target}[ on {project}][ ({mode})]", ""},
	{"agent.message", "sent a message to the agent job {target}[ on {project}]", ""},
	{"agent.complete", "completed the agent job {target}[ on {project}][, see {pull}]", ""},
	{"agent.fail", "could not complete the agent job {target}[ on {project}]", ""},
	{"agent.redo", "let the agent job {target}[ on {project}] do its work again on the newest base", ""},
	{"agent.stop", "stopped the agent of the job {target}[ on {project}]", ""},
	{"agent.archive", "archived the agent job {target}[ on {project}][ because of {reason}]", ""},
	{"agent.pull_merged", "reported that the pull request of the agent job {target} was merged", ""},
	{"agent.pull_closed", "reported that the pull request of the agent job {target} was closed", ""},
	{"agent.pull_reopened", "reported that the pull request of the agent job {target} was reopened", ""},
	{"automation.create", "added the automation {name|target}[ to {project}]", ""},
	{"automation.update", "changed the automation {name|target}[ of {project}]", ""},
	{"automation.run", "ran the automation {name|target}[ of {project}], which started nothing[ ({decision})]", ""},
	{"automation.delete", "deleted the automation {name|target}[ of {project}]", ""},
	{"receipt.review", "reviewed {page}, which relied on {path}[ of {repository}][ in {project}]", ""},
	{"receipt.stale", "found that {path}[ of {repository}], which {page} relies on, has changed[ in {project}]", ""},
	{"proposal.open", "opened the proposal {number|target}[ on {project}]", ""},
	{"proposal.merge", "merged the proposal {number|target}[ on {project}]", ""},
	{"proposal.close", "closed the proposal {number|target}[ on {project}]", ""},
	{"proposal.comment", "commented on [{file} of ]the proposal {number|target}[ on {project}]", ""},
	{"proposal.resolve", "resolved a comment on [{file} of ]the proposal {number|target}[ on {project}]", ""},
	{"proposal.unresolve", "reopened a comment on [{file} of ]the proposal {number|target}[ on {project}]", ""},
	{"proposal.edit", "applied a suggested edit to the proposal {number|target}[ on {project}]", ""},
	{"proposal.keep", "took back some files of the proposal {number|target}[ on {project}]", ""},
	{"proposal.update", "brought the proposal {number|target}[ on {project}] up to date[ with {base}]", ""},
	{"proposal.approve", "approved the proposal {number|target}[ on {project}][ at {commit}]", ""},
	{"feedback.update", "marked the feedback {target}[ as {status}]", ""},
	{"key.create", "created the API key {label|target}[ with {scopes}]", ""},
	{"key.revoke", "revoked the API key {target}", ""},
	{"credential.create", "stored the credential {name|target}[ for {url}]", ""},
	{"credential.replace", "replaced the value of the credential {name|target}[ for {url}]", ""},
	{"credential.test", "tested the credential {name|target}[ for {url}][: {result}]", ""},
	{"credential.delete", "deleted the credential {name|target}[ for {url}]", ""},
	{"webhook.create", "added the webhook endpoint {target}[ at {host}]", ""},
	{"webhook.update", "changed the webhook endpoint {target}[ at {host}][, which is {state} now]", ""},
	{"webhook.rotate", "rotated the secret of the webhook endpoint {target}[ at {host}]", ""},
	{"webhook.test", "sent a test to the webhook endpoint {target}[ at {host}]", ""},
	{"webhook.replay", "replayed deliveries to the webhook endpoint {target}[ since {since}]", ""},
	{"webhook.off", "turned off the webhook endpoint {target}[ ({reason})][: {error}]", ""},
	{"webhook.delete", "deleted the webhook endpoint {target}[ at {host}]", ""},
	{"key.leak", "reported the API key {target} as leaked[ at {url}], which revoked it", ""},
	{"member.add", "made {email|target} a member[ as {role}]", ""},
	{"member.join", "let {email|target} join[ as {role}]", "joined[ as {role}]"},
	{"member.role", "changed the role of {email|target}[ from {before}][ to {after}]",
		"changed their own role[ from {before}][ to {after}]"},
	{"member.remove", "removed {email|target}[ ({role})]", "left the organization[ ({role})]"},
	{"member.password_link", "created a password link for {email|target}", ""},
	{"member.sign_in", "signed in[ by {method}][ from {address}]", ""},
	{"member.sign_out", "signed out", ""},
	{"member.rename", "changed their name", ""},
	{"member.password_reset", "asked for a new password for {email|target}", ""},
	{"member.password", "set a new password", ""},
	{"member.identity", "is now linked to the account of {email|target}[; its password is {password}]", ""},
	{"member.totp_on", "turned on two-factor sign-in", ""},
	{"member.totp_off", "turned off two-factor sign-in", ""},
	{"member.recovery_codes", "created new recovery codes", ""},
	{"member.recovery_used", "used a recovery code[; {left} are left]", ""},
	{"session.end", "ended another of their sessions", ""},
	{"directory_user.create", "provisioned the user {userName|target}[ ({email})]", ""},
	{"directory_user.update", "changed the user {userName|target}[ ({email})][, active: {active}]", ""},
	{"directory_user.delete", "deleted the user {userName|target}[ ({email})]", ""},
	{"directory_group.create", "created the group {name|target}[ with {added} members]", ""},
	{"directory_group.update", "changed the group {name|target}[: {added} added][, {removed} removed]", ""},
	{"directory_group.delete", "deleted the group {name|target}", ""},
	{"invitation.create", "created an invitation[ for {email}][ as {role}]", ""},
	{"invitation.revoke", "revoked the invitation[ for {email}]", ""},
	{"invitation.accept", "accepted an invitation[ as {role}]", ""},
	{"organization.create", "created the organization[ {name}][ with the plan {plan}]", ""},
	{"organization.rename", "renamed the organization[ from {before}][ to {after}]", ""},
	{"organization.plan", "changed the plan[ from {before}][ to {plan}]", ""},
	{"mail.fail", "could not send an email[ ({kind})][ to {email}][: {reason}]", ""},
	{"alert.raise", "raised an alert about {target}[ ({rule})][: {title}]", ""},
	{"alert.end", "ended the alert about {target}[ ({rule})]", ""},
	{"playground.internal",
		"called {origin|target} from the playground[ of {host}]; only the operator's list allows this", ""},
}

// actors are actors that are neither members nor keys.
var actors = map[string]string{"operator": "The server's operator", "system": "The server", "webhook": "The code host",
	"oidc": "The identity provider", "saml": "The identity provider (SAML)", "visitor": "A visitor",
	"secret-scanning": "Secret scanning"}

// Who returns the name of the event's actor. names maps ids to readable names; it may be nil.
func (e Event) Who(names map[string]string) string {
	name, known := names[e.Actor]
	switch {
	case known && id.Has(id.Key, e.Actor):
		return "The key " + name
	case known:
		return name
	case actors[e.Actor] != "":
		return actors[e.Actor]
	case id.Has(id.Member, e.Actor) && e.Actor == e.Target && e.Data["email"] != "":
		return e.Data["email"]
	case id.Has(id.Member, e.Actor):
		return "A former member"
	case id.Has(id.Key, e.Actor):
		return "The key " + e.Actor
	}
	return e.Actor
}

// Did describes the event. Its result is the rest of a sentence that begins with the result of Who. names maps ids to
// readable names, in addition to the event's own data; it may be nil.
func (e Event) Did(names map[string]string) string {
	for _, w := range Words {
		if w.Action != e.Action {
			continue
		}
		if e.Actor == e.Target && w.Self != "" {
			return fillPattern(w.Self, e, names)
		}
		return fillPattern(w.Tell, e, names)
	}
	return strings.TrimSpace(e.Action + " " + eventValue(e, names, "target"))
}

// fillPattern replaces a pattern's placeholders with an event's values. Values are never parsed as patterns.
func fillPattern(pattern string, e Event, names map[string]string) string {
	var out strings.Builder
	for pattern != "" {
		before, rest, found := strings.Cut(pattern, "[")
		text, _ := fillClause(before, e, names)
		out.WriteString(text)
		if !found {
			break
		}
		var clause string
		clause, pattern, _ = strings.Cut(rest, "]")
		if text, whole := fillClause(clause, e, names); whole {
			out.WriteString(text)
		}
	}
	return out.String()
}

// fillClause fills a pattern without brackets; whole reports whether all placeholders had a value.
func fillClause(pattern string, e Event, names map[string]string) (text string, whole bool) {
	var out strings.Builder
	whole = true
	for {
		before, rest, found := strings.Cut(pattern, "{")
		out.WriteString(before)
		if !found {
			return out.String(), whole
		}
		var place string
		place, pattern, _ = strings.Cut(rest, "}")
		v := eventValue(e, names, place)
		out.WriteString(v)
		whole = whole && v != ""
	}
}

// eventValue returns the value of a placeholder: the first of its alternatives that the event has.
func eventValue(e Event, names map[string]string, place string) string {
	for name := range strings.SplitSeq(place, "|") {
		v := e.Data[name]
		if name == "target" {
			v = e.Target
		}
		if known := names[v]; known != "" {
			v = known
		}
		if v != "" {
			return v
		}
	}
	return ""
}
