package shell

import (
	"net/http"
	"net/url"
)

// didCookie contains the key of a notice from the response to a form for the next page, which shows the notice and
// deletes the cookie. So the notice disappears when the page is reloaded, and no link can make a page show one.
const didCookie = "lectern_did"

// Did returns the notice for the form that led to this page, or "".
func (v *Visit) Did() string {
	c, err := v.R.Cookie(didCookie)
	if err != nil || v.R.Header.Get(liveHeader) != "" {
		return ""
	}
	key, err := url.QueryUnescape(c.Value)
	if err != nil || key != v.Query("did") {
		return ""
	}
	v.setDid("", -1)
	return Notices[key]
}

func (v *Visit) setDid(key string, seconds int) {
	http.SetCookie(v.W, &http.Cookie{Name: didCookie, Value: url.QueryEscape(key), Path: Path, MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// Notices are the messages about completed forms. URL and cookie contain only the key, so that nobody can make a page
// show another text.
var Notices = map[string]string{
	"signed-out":       "You are signed out.",
	"switched":         "You have switched to another organization.",
	"joined":           "Welcome. You are now a member.",
	"recovery-used":    "You signed in with a recovery code, which cannot be used again. The number of remaining codes is shown below.",
	"name-saved":       "Your name was changed.",
	"password-changed": "Your password was changed. You are signed out everywhere else.",
	"two-factor-off":   "Two-factor sign-in is off.",
	"session-ended":    "That session has ended.",
	"sessions-ended":   "You are signed out everywhere else.",

	"export-started":  "The export was started.",
	"export-joined":   "The same export was already in progress. This is its page.",
	"export-canceled": "The export is being stopped.",

	"agent-started":        "The agent was started.",
	"agent-message-sent":   "The agent reads your message at its next step.",
	"agent-redo":           "The agent is redoing its work on the newest state of the base branch.",
	"agent-stopped":        "The agent was stopped. A message to the job resumes it.",
	"agent-archived":       "The job was archived.",
	"automation-added":     "The automation was added.",
	"automation-saved":     "The automation was changed.",
	"automation-on":        "The automation is on.",
	"automation-off":       "The automation is off. It starts nothing.",
	"automation-ran":       "Nothing was started. The log says why.",
	"automation-deleted":   "The automation was deleted, with its log.",
	"proposal-merged":      "The proposal was merged. The site is being published again.",
	"proposal-closed":      "The proposal was closed. None of its changes were applied.",
	"proposal-approved":    "You approved the proposal.",
	"comment-made":         "Your comment was stored.",
	"comment-resolved":     "The comment is resolved.",
	"comment-unresolved":   "The comment is unresolved again.",
	"update-started":       "The update was started.",
	"preview-started":      "The preview was started.",
	"rolled-back":          "Rolled back. Readers now see that version.",
	"domain-proven":        "The domain is verified. The site is now available on it.",
	"project-saved":        "Saved. A change of the source or docs folder takes effect with the next update.",
	"readers-saved":        "Saved. All readers of the site were signed out.",
	"readers-signed-out":   "All readers of the site were signed out.",
	"project-role-set":     "The role in this project was set. It applies immediately.",
	"project-role-gone":    "The role in this project was removed.",
	"nothing-changed":      "Nothing was changed.",
	"feedback-changed":     "Saved.",
	"hook-installed":       "The webhook is installed at the code host. Every push publishes the site.",
	"project-deleted":      "The project was deleted. Its site is offline.",
	"product-connected":    "The product repository was connected. Agents can read it from their next job.",
	"product-disconnected": "The product repository was disconnected.",
	"receipt-reviewed":     "The receipt was removed. Agents cite again when they change the page.",
	"proposal-updated":     "The branch now has the newest state of the project.",
	"proposal-kept":        "The changes to the other files were reverted.",
	"suggestion-applied":   "The suggested edit is now a commit on the branch.",

	"credential-stored":    "The credential was stored, encrypted. Projects can now use it.",
	"credential-replaced":  "The credential was replaced. The new value is used from the next fetch.",
	"credential-deleted":   "The credential was deleted.",
	"webhook-added":        "The webhook endpoint was added. Send a test message to see whether it arrives.",
	"webhook-saved":        "The webhook endpoint was changed.",
	"webhook-on":           "The webhook endpoint is on. It gets events from now on.",
	"webhook-off":          "The webhook endpoint is off. It gets no events.",
	"webhook-tested":       "A test message is on its way.",
	"webhook-replayed":     "The failed deliveries are queued again.",
	"webhook-deleted":      "The webhook endpoint was deleted, with its deliveries.",
	"delivery-replayed":    "The delivery is queued again.",
	"key-revoked":          "The key was revoked. Requests with it are now refused.",
	"role-changed":         "The role was changed, with immediate effect.",
	"member-removed":       "The member was removed and signed out.",
	"left":                 "You have left the organization.",
	"invitation-withdrawn": "The link was revoked.",
	"renamed":              "The organization was renamed.",
}
