package searchindex

// compound reports whether two consecutive words are also written as one. Both must be in the form that the index
// stores: lower case, without plural. web/theme/src/search/compound.ts has the same list: change both.
func compound(two []byte) bool {
	switch string(two) {
	case "add on", "allow list", "back up", "block list", "bread crumb", "call back", "call out", "change log", "check box",
		"check out", "clean up", "code block", "data base", "data set", "drop down", "end point", "fail over", "file name",
		"git hub", "git lab", "home page", "host name", "java script", "key word", "life cycle", "lock file", "log in",
		"log on", "log out", "look up", "meta data", "name space", "nav bar", "next js", "node js", "open api", "pass key",
		"pass word", "pay load", "plug in", "quick start", "read me", "roll back", "run time", "set up", "shut down",
		"side bar", "sign in", "sign on", "sign out", "sign up", "sub domain", "time out", "time stamp", "time zone",
		"tool tip", "type script", "user name", "web hook", "web site", "web socket", "white list", "work flow",
		"work space":
		return true
	}
	return false
}
