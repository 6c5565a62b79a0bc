// Package agentjob defines agent jobs: their states and transitions, their budgets, and the record of their messages
// and actions.
//
// Inputs: requests to start a job, to change its state, or to send it a message.
// Outputs: nil, or a fault that names the field or the state that forbids the request; the name of the job's branch.
// It does not depend on models, tools, code hosts or what the agent does.
package agentjob
