// Package config turns flags, LECTERN_* variables and the settings file into one struct, and is the only room that knows
// what a setting is called.
//
// Every setting has one key, such as deployment.type. Its other two names follow from it: the flag --deployment-type and
// the variable LECTERN_DEPLOYMENT_TYPE. A flag wins over a variable, a variable over the file, the file over the default.
// Secrets have no flag, since a command line can be read by every user of the machine: they come from a variable, or from
// a file whose path is a setting.
//
// In: the process environment as a list, the settings file, and the struct as the command-line parser filled it.
// Out: a checked Server; credentials by name; the reference of all settings, for help and docs.
// Never: opens a database, a socket or a repository; changes the environment; prints a secret.
package config
