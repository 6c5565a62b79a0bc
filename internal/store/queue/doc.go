// Package queue wakes workers. It uses the job-queue library River on both database engines.
//
// Inputs: a wake-up enqueued in the caller's transaction; functions to run when one arrives or on a schedule.
// Outputs: a call of the work function for each committed wake-up, in some process that runs workers. A wake-up that is
// lost when its process dies is not repeated here: the store enqueues another one for tasks that still wait.
// Wake-ups arrive by notification: of PostgreSQL, or of the process itself on SQLite, which polls only for other processes.
// It does not know what the work is. Which task runs next, its lease and its fence number are rows of the store.
//
// A wake-up carries no task: the worker that receives it takes the task that fairness puts first. So one organization's
// ten thousand wake-ups do not delay another's single one, a surplus wake-up is harmless, and a job whose worker died
// does not wait for the library's own rescue (an hour by default): its lease expires in seconds and the next worker
// takes the task.
//
// There are four lanes. "work" has as many slots as the operator allows; "agents" and "mails" have the slots for agents
// and mails, which mostly wait. "express" has one more slot, only for organizations with nothing running, so that one tenant's long jobs
// cannot keep another waiting when they fill every slot of "work". A task of such an organization wakes both lanes, so
// that it does not wait behind another organization's task on the express lane either.
package queue
