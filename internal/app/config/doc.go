// Package config reads flags, LECTERN_* variables and the settings file into one struct. No other package knows the
// names of settings.
//
// Every setting has one key, such as deployment.type. Its other two names follow from it: the flag --deployment-type
// and the variable LECTERN_DEPLOYMENT_TYPE. A flag takes precedence over a variable, a variable over the file, the
// file over the default. Secrets have no flag, because every local user can read command lines: they come from a
// variable, or from a file whose path is a setting.
//
// Inputs: the process environment as a list, the settings file, and the struct as filled by the command-line parser.
// Outputs: a validated Server, credentials by name, and the reference of all settings for help and docs. It never
// opens a database, a socket or a repository, changes the environment, or prints a secret.
package config
