// Package evaluation measures agents: it runs tasks on small docs repositories with the real agent and grades what came
// of them.
//
// Inputs: an engine, and tasks from the files of this package: phrasings are 200 requests in the words of docs teams,
// half of them kept apart from those that the rule-based agent is tuned on; tasks are the evaluation set for any model.
// Outputs: for each task its outcome, which graders passed, steps, tokens and cost. A proposal is answered with yes, and
// graded by what it leads to.
// It never judges by what an agent says of its work except where a task asks for an answer: graders look at files.
package evaluation
