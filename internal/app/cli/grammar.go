package cli

// grammar defines all commands, in struct tags for the command-line library.
type grammar struct {
	ShowHelp helpFlag `name:"help" short:"h" help:"Show help; after a command, show help for that command."`
	Debug    bool     `help:"Show the cause of an error."`

	Serve       serveCommand        `cmd:"" group:"Run a server" help:"Run everything in one process: admin API, sites, dashboard, workers."`
	Worker      workerCommand       `cmd:"" group:"Run a server" help:"Run only workers, next to servers on the same PostgreSQL database."`
	ServeBundle serveBundleCommands `cmd:"" group:"Run a server" help:"Fetch, verify, store and serve an exported bundle."`
	Migrate     migrateCommand      `cmd:"" group:"Run a server" help:"Update the database schema. Servers do this when they start."`

	Keys keysCommands `cmd:"" group:"Administer a server (on its machine)" help:"Manage admin API keys."`
	Org  orgCommands  `cmd:"" group:"Administer a server (on its machine)" help:"Manage organizations, plans, members and invitations."`

	Backup  backupCommands `cmd:"" group:"Administer a server (on its machine)" help:"Back up an embedded server to one file."`
	Restore restoreCommand `cmd:"" group:"Administer a server (on its machine)" help:"Restore a backup to a new data folder."`
	Mail    mailCommands   `cmd:"" group:"Administer a server (on its machine)" help:"Check that a server with these settings can send mail."`
	Doctor  doctorCommand  `cmd:"" group:"Administer a server (on its machine)" help:"Check that a server with these settings can run, and is healthy."`

	New        newCommand        `cmd:"" group:"Build without a server" help:"Create a small starter site."`
	Dev        devCommand        `cmd:"" group:"Build without a server" help:"Preview a docs folder in the browser while you write."`
	Export     exportCommand     `cmd:"" group:"Build without a server" help:"Build a docs folder into an archive or folder of static files."`
	Bundle     bundleCommands    `cmd:"" group:"Build without a server" help:"Check exported bundles."`
	Check      checkCommand      `cmd:"" group:"Build without a server" help:"Check a docs folder for errors."`
	Fmt        fmtCommand        `cmd:"" group:"Build without a server" help:"Format pages without changing what readers see."`
	Score      scoreCommand      `cmd:"" group:"Build without a server" help:"Rate how well programs can read a site or a docs folder."`
	Mcp        mcpCommand        `cmd:"" group:"Build without a server" help:"Serve a docs folder or a bundle to a local agent over MCP."`
	Mv         mvCommand         `cmd:"" group:"Build without a server" help:"Rename a page or folder and update all references."`
	ApiChanges apiChangesCommand `cmd:"" group:"Build without a server" help:"List what changed between two states of an API description."`
	Cache      cacheCommands     `cmd:"" group:"Build without a server" help:"Show or clear the build cache."`
	Upgrade    upgradeCommand    `cmd:"" group:"Build without a server" help:"Convert an older mint.json to docs.json."`

	Translations translationsCommand `cmd:"" group:"Build without a server" help:"List translations and which of them are behind their source."`

	Projects projectsCommands `cmd:"" group:"Call a server" help:"Manage projects."`
	Readers  readersCommands  `cmd:"" group:"Call a server" help:"Show and set who may read a site."`
	Domains  domainsCommands  `cmd:"" group:"Call a server" help:"List and verify an organization's domains, and show their certificates."`
	Exports  exportsCommands  `cmd:"" group:"Call a server" help:"Export sites on a server."`
	Members  membersCommands  `cmd:"" group:"Call a server" help:"Manage an organization's members."`

	Credentials credentialsCommands `cmd:"" group:"Call a server" help:"Manage credentials for repositories on code hosts."`
	Webhooks    webhooksCommands    `cmd:"" group:"Call a server" help:"Send events to other programs, chats and members."`

	Events eventsCommands `cmd:"" group:"Call a server" help:"List, export and verify the audit log."`

	Agent agentCommands `cmd:"" group:"Agents" help:"Run agents that edit documentation and propose changes."`

	Proposals  proposalsCommands  `cmd:"" group:"Agents" help:"Review, merge and close what agents propose."`
	Automation automationCommands `cmd:"" group:"Agents" help:"Manage agent tasks that start automatically."`

	Version versionCommand `cmd:"" group:"Other" help:"Print the version."`

	InternalDial    dialCommand    `cmd:"" hidden:"" help:"Connect standard input and output to a host through the server's proxy; used by ssh."`
	InternalScripts scriptsCommand `cmd:"" hidden:"" help:"Run author code from standard input without privileges; started by builds."`
	InternalSandbox sandboxCommand `cmd:"" hidden:"" help:"Enter a sandbox for an agent's program; started by the server."`
}

// Help returns the text shown below the description.
func (grammar) Help() string {
	return `Try it: the first command runs a server with Lectern's own docs and prints an API key, the others export a site.

    lectern serve
    lectern exports start docs.localhost --wait
    lectern export ./my-docs --out site.tar.gz

Exit codes:

    0  done
    1  failed
    2  wrong usage or invalid setting
    3  denied: the API key is missing, invalid or lacks permission
    4  not found
    5  conflict with the current state
    6  not done: an agent did not understand the task, or needs an answer

Results go to standard output, everything else to standard error.`
}
