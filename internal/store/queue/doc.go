// Package queue wakes workers and runs chores.
//
// Inputs: a wake-up sent in the caller's transaction; a function that takes the next task of a lane; functions to
// run on a schedule. Outputs: soon after the commit, every process that runs workers looks for tasks of the lane. A
// wake-up may be lost with a connection or a process: therefore lanes also look every few seconds, and the workers
// renew wake-ups of tasks that still wait. The package does not depend on the kind of work. Which task runs next, its
// lease and its fence number are stored in rows of the store.
//
// A wake-up carries no task and is not a row: PostgreSQL notifies the listening processes; on SQLite the process
// notifies itself and watches the file for changes by others. The woken worker takes the task that fairness puts
// first, so one organization's ten thousand tasks do not delay another's single one, and a superfluous wake-up is
// harmless.
//
// There are five lanes. "work" has as many slots as the operator allows; "agents", "mails" and "deliveries" have
// separate slots, because these mostly wait. "express" has one more slot, only for organizations with nothing running,
// so that one tenant's long jobs cannot block another when they fill every slot of "work". A task of such an
// organization wakes both lanes, so that it does not wait behind another organization's task on the express lane
// either.
package queue
