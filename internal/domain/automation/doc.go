// Package automation defines automations: tasks for an agent that start by themselves, their limits, and the log of why
// each started or did not.
//
// Inputs: what a caller chose for an automation, the present time, and how much it did before.
// Outputs: nil, or a fault that names the wrong field; the time of the next run; the decision whether a run starts.
// It starts nothing and reads no clock.
package automation
