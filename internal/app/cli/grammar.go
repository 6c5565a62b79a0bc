package cli

// grammar is every command. Its tags are read by the command-line library.
type grammar struct {
	ShowHelp helpFlag `name:"help" short:"h" help:"Show help; after a command, for that command."`
	Debug    bool     `help:"Show what caused an error."`

	Serve       serveCommand        `cmd:"" group:"Run a server" help:"Run everything in one process: admin API, sites, dashboard, workers."`
	Worker      workerCommand       `cmd:"" group:"Run a server" help:"Run workers alone, beside servers on the same PostgreSQL database."`
	ServeBundle serveBundleCommands `cmd:"" group:"Run a server" help:"Serve an exported bundle: fetched, verified, kept."`
	Migrate     migrateCommand      `cmd:"" group:"Run a server" help:"Bring the database's schema up to date. Servers do it themselves when they start."`

	Keys keysCommands `cmd:"" group:"Administer a server (on its machine)" help:"Admin API keys."`
	Org  orgCommands  `cmd:"" group:"Administer a server (on its machine)" help:"Organizations, plans, members and links that let people in."`

	Backup  backupCommands `cmd:"" group:"Administer a server (on its machine)" help:"Put everything an embedded server keeps into one file."`
	Restore restoreCommand `cmd:"" group:"Administer a server (on its machine)" help:"Make a data folder of a backup."`
	Doctor  doctorCommand  `cmd:"" group:"Administer a server (on its machine)" help:"Look whether a server with these settings can run, and how it is doing."`

	New     newCommand     `cmd:"" group:"Build without a server" help:"Make a small site to start from."`
	Dev     devCommand     `cmd:"" group:"Build without a server" help:"Show a docs folder in the browser while it is being written."`
	Export  exportCommand  `cmd:"" group:"Build without a server" help:"Build a docs folder into an archive or a folder of static files."`
	Bundle  bundleCommands `cmd:"" group:"Build without a server" help:"Bundles that were exported."`
	Check   checkCommand   `cmd:"" group:"Build without a server" help:"Build a docs folder, keep nothing, and print what is wrong with it."`
	Fmt     fmtCommand     `cmd:"" group:"Build without a server" help:"Tidy pages without changing what readers see."`
	Score   scoreCommand   `cmd:"" group:"Build without a server" help:"Tell how well programs can read a site or a docs folder."`
	Mcp     mcpCommand     `cmd:"" group:"Build without a server" help:"Let an agent on this machine search and read a docs folder, over MCP."`
	Mv      mvCommand      `cmd:"" group:"Build without a server" help:"Rename a page or folder, and put right what names it."`
	Cache   cacheCommands  `cmd:"" group:"Build without a server" help:"What builds keep for later builds."`
	Upgrade upgradeCommand `cmd:"" group:"Build without a server" help:"Write an older mint.json as docs.json."`

	Projects projectsCommands `cmd:"" group:"Speak to a server" help:"Documentation projects."`
	Domains  domainsCommands  `cmd:"" group:"Speak to a server" help:"Domains of an organization, and their proofs."`
	Exports  exportsCommands  `cmd:"" group:"Speak to a server" help:"Static exports made by a server."`
	Members  membersCommands  `cmd:"" group:"Speak to a server" help:"People of an organization."`

	Credentials credentialsCommands `cmd:"" group:"Speak to a server" help:"What opens an organization's repositories on code hosts."`

	Events eventsCommands `cmd:"" group:"Speak to a server" help:"Audit log: who changed what."`

	Agent agentCommands `cmd:"" group:"Agents" help:"Agents that edit documentation and propose it."`

	Version versionCommand `cmd:"" group:"Other" help:"Print the version."`

	InternalDial    dialCommand    `cmd:"" hidden:"" help:"Connect standard input and output to a host through the server's proxy; ssh calls it."`
	InternalScripts scriptsCommand `cmd:"" hidden:"" help:"Run author code from standard input, with every right taken away; builds start it."`
	InternalSandbox sandboxCommand `cmd:"" hidden:"" help:"Enter a sandbox for a program of an agent; the server starts it."`
}

// Help is shown below the description.
func (grammar) Help() string {
	return `Try it: the first command runs a server with Lectern's own docs and prints a key, the others export a site.

    lectern serve
    lectern exports start docs.localhost --wait
    lectern export ./my-docs --out site.tar.gz

Exit codes:

    0  done
    1  failed
    2  wrong usage or a bad setting
    3  refused: the key is missing, wrong or may not do this
    4  not found
    5  conflict with what is there already

Results go to standard output, everything else to standard error.`
}
