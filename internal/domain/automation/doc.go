// Package automation defines automations: tasks for an agent that start automatically, their limits, and the log of
// why each run started or did not.
//
// Inputs: a caller's settings for an automation, the current time, and its past activity. Outputs: nil, or a fault
// that names the wrong field; the time of the next run; the decision whether a run starts. It starts nothing and
// reads no clock.
package automation
