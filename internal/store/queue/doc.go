// Package queue wakes workers and runs chores.
//
// Inputs: a wake-up sent in the caller's transaction; a function that takes the next task of a lane; functions to run
// on a schedule. Outputs: soon after the commit, every process that runs workers looks for tasks in the lane. A wake-up
// can be lost if a connection breaks or a process dies. Therefore lanes also look every few seconds, and the workers
// send wake-ups again for tasks that are still waiting. The package does not depend on the kind of work. Which task
// runs next, its lease and its fence number are stored in rows of the store.
//
// A wake-up carries no task and is not a row: PostgreSQL notifies the listening processes; on SQLite, the process
// notifies itself and watches the file for changes made by other processes. The woken worker takes the task that the
// fairness rules put first, so one organization's ten thousand tasks do not delay another organization's single task,
// and a superfluous wake-up is harmless.
//
// There are five lanes. "work" has as many slots as the operator allows; "agents", "mails" and "deliveries" have
// separate slots, because their tasks mostly wait. "express" has one more slot, which is only for organizations that
// have nothing running. If one tenant's long jobs fill every slot of "work", they therefore cannot block other tenants.
// A task of an organization with nothing running wakes both lanes, so that it does not wait behind another
// organization's task on the express lane either.
package queue
