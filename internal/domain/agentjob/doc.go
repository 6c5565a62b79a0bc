// Package agentjob is the agent job: its states and which may follow which, what it may use, and the record of what was said and done.
//
// In: requests to start a job, to change its state, to say something to it.
// Out: a yes, or a fault that names the field or the state in the way; the branch a job works on.
// Never: what the agent does, a model, a tool or a code host.
package agentjob
