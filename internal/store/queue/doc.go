// Package queue wakes workers, on the job-queue library River over both engines.
//
// In: a wake-up inside somebody's transaction; functions to run when one arrives or a clock says so.
// Out: the work function is called for each committed wake-up, on some process that runs workers. A wake-up that dies with
// its process is not repeated here: whoever keeps the tasks renews it.
// Never: what the work is. Which task runs next, its lease and its fence are rows of the store.
//
// A wake-up carries no task: whoever receives it takes the task that fairness puts first. So one organization's
// ten thousand wake-ups do not stand in front of another's single one, a wake-up too many is harmless, and a job
// whose worker died does not wait for the library's own rescue (an hour by default): its lease lapses in seconds
// and the task goes to the next worker.
//
// There are three lanes. "work" has as many slots as the operator allows, and "agents" those for agents, which mostly wait; "express" has one more, only for
// organizations with nothing running, so that a full house of one tenant's long jobs cannot keep another waiting. Such an
// organization's task wakes both lanes, so that it does not wait behind another one's on the express lane either.
package queue
