// Package evaluation measures agents: it runs tasks on small docs repositories with the real agent and grades the
// results.
//
// Inputs: an engine, and tasks from the files of this package. Phrasings are 200 requests in the words of docs teams,
// half of them held out from tuning the rule-based agent. Tasks are the evaluation set for any model, with a product
// repository where a task needs one.
// Outputs: for each task its outcome, which graders passed, steps, tokens and cost. The suite answers a proposal with
// yes and grades the result. Graders check files; they consider an agent's description of its work only where a task
// asks for an answer.
package evaluation
