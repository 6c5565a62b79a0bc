package daemon

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/lectern-docs/lectern/internal/build/prose"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/deliver"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/jobs/pullreport"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// workforce consists of the queue and its workers.
type workforce struct {
	queue *queue.Queue
	pool  *worker.Pool // nil if other processes run the tasks
	stop  context.CancelFunc
	done  chan struct{}

	patience time.Duration // total time limit of halt
	logger   *slog.Logger
}

// stopDelay is the time that a job has, after the grace period, to notice that it must end.
const stopDelay = 10 * time.Second

// Deliveries to webhook endpoints mostly wait for other programs. During a database outage they wait as long as for
// an unavailable receiver.
const (
	deliveriesAtOnce = 8 // per process
	databaseOutage   = 72 * time.Hour
)

// newWorkforce connects queue, workers and chores. From then on the store queues tasks through it.
func (c *core) newWorkforce() (*workforce, error) {
	w := &workforce{done: make(chan struct{}), patience: c.Config.ShutdownGrace + stopDelay, logger: c.Logger}
	if c.slots() > 0 {
		w.pool = c.newPool()
		if err := c.addMail(w.pool); err != nil {
			return nil, err
		}
	}
	opt := queue.Options{DB: queueDB(c.Store), Logger: c.Logger.With("part", "queue")}
	if w.pool != nil {
		opt.Slots, opt.Agents, opt.Mails, opt.Deliveries = c.slots(), w.pool.Agents, w.pool.Mails, w.pool.Deliveries
		opt.Take, opt.Grace = w.pool.Take, c.Config.ShutdownGrace
		opt.Chores, opt.Claims, opt.ProcessID = c.chores(), c.Store, c.processID
	}
	w.queue = queue.Open(opt)
	c.Store.SetWake(w.queue.Wake)
	c.Store.SetCaps(store.Caps{Exports: c.Config.ExportMaxRunning, Jobs: c.Config.JobMaxRunning})
	c.countQueue()
	return w, nil
}

func (c *core) newPool() *worker.Pool {
	return &worker.Pool{
		Tasks: c.Store, Owner: c.processID, Lease: c.Config.JobLease, Heartbeat: c.Config.JobHeartbeat,
		Longest: c.Config.JobMaxTime, Outage: c.Config.JobOutageLimit, Room: c.storage.ample,
		Timed: []task.Kind{task.Export, task.Agent, task.Delivery, task.Report, task.Mention}, Slots: c.slots(), Agents: c.Config.AgentMaxRunning,
		Deliveries: deliveriesAtOnce,
		Outages: map[task.Kind]task.Outage{task.Delivery: {Limit: databaseOutage},
			task.Report: {Limit: databaseOutage}, task.Mention: {Limit: databaseOutage}},
		Now: c.Now, Random: c.jitter, Logger: c.Logger, Observer: c.observe,
		Handlers: map[task.Kind]worker.Handler{
			task.Deploy: &publish.Publisher{Store: c.Store, Blob: c.blob, Source: c.source, Scratch: c.scratch,
				SiteURL: c.canonical, Tool: c.Version, Press: c.press, Cache: c.cache, Scripts: c.scripts,
				Fetch: c.fetch, Samples: c.samples(), Prose: prose.Options{Program: c.Config.ProseVale, Runner: newBox(c.SelfExe)},
				Offers: c.siteOffers(), MaxRemoved: c.Config.PublishMaxRemoved,
				MaxPulls: c.Config.PreviewMaxPulls, Repository: c.repository,
				Lease: c.Config.JobLease, Now: c.Now, Logger: c.Logger, Counts: c.publishCounts()},
			task.Export: &exportjob.Exporter{Store: c.Store, Blob: c.blob, Source: c.source, Scratch: c.scratch,
				SiteURL: c.canonical, Tool: c.Version, Press: c.press, Cache: c.cache, Scripts: c.scripts,
				Fetch: c.fetch, Offers: c.bundleOffers,
				Repository: c.repository, Signer: c.signer, Making: c.making(), Limits: c.exportLimits(),
				Lease: c.Config.JobLease, Interval: 150 * time.Millisecond, Now: c.Now},
			task.Agent:    c.runner(),
			task.Delivery: c.deliverer(nil),
			task.Report: &pullreport.Sender{Store: c.Store, Open: c.reporter, PreviewURL: c.previewAt, BuildURL: c.buildPage,
				Random: c.jitter},
			task.Mention: c.responder(),
		},
	}
}

// deliverer returns the handler that sends events to endpoints. server sends emails to members; it is nil if there is
// no mail server.
func (c *core) deliverer(server deliver.MailServer) *deliver.Sender {
	return &deliver.Sender{Store: c.Store, Client: deliver.NewClient(c.guard), Mail: server, PublicURL: c.publicURL(),
		Masters: c.masters(), Agent: "Lectern/" + c.Version, Now: c.Now, Random: c.jitter}
}

// repository returns where readers find the sources of a project, or the zero value if its code host is unknown.
func (c *core) repository(p project.Project) site.Repository {
	return c.agents.servers.Source(p.Source.Repository, p.Source.Branch, p.DocsFolder)
}

// publishCounts returns the counters of updates that would have removed content.
func (c *core) publishCounts() *publish.Counts {
	counts := &publish.Counts{}
	c.metrics.Counter("lectern_publish_specs_kept_total",
		"API descriptions on other hosts that could not be used, so the last good copy was published.",
		func() float64 { return float64(counts.Kept.Load()) })
	c.metrics.Counter("lectern_publish_held_total", "Updates held because they would have removed too many pages.",
		func() float64 { return float64(counts.Held.Load()) })
	return counts
}

// observe adds a metric and a trace for each task, and returns its memory to the system afterwards.
func (c *core) observe(ctx context.Context, kind, taskID string) (context.Context, func(string, error)) {
	counted, unused := c.metrics.JobStarted(kind), c.memory.use()
	run, traced := c.tracing.Start(ctx, "task "+kind, slog.String("task", taskID))
	return run, func(outcome string, err error) {
		counted(outcome)
		traced(err)
		unused()
	}
}

// chores returns the chores. Only one process of the cluster runs a given chore at a time.
func (c *core) chores() []queue.Chore {
	sweeper := &retention.Sweeper{Store: c.Store, Blob: c.blob,
		Keep: store.Keep{Productions: 20, Failures: 20, Previews: 30 * 24 * time.Hour}, Exports: c.exportLimits(),
		Agents: c.Config.AgentKeepFor, Audience: c.Config.AnalyticsKeepFor, Conversations: c.Config.AssistantKeepFor,
		Sessions: c.Config.SessionLimits(),
		Partial:  c.partialLife(), Now: c.Now, Logger: c.Logger, Pause: c.besideBackups()}
	list := []queue.Chore{{Name: "sweep", Every: time.Hour, Do: sweeper.Sweep}}
	if every := c.Config.GitPollInterval; every > 0 {
		poller := &publish.Poller{Store: c.Store, Source: c.source, Every: every, Now: c.Now, Logger: c.Logger}
		list = append(list, queue.Chore{Name: "poll", Every: min(every, 30*time.Second), Do: poller.Poll})
	}
	list = append(list, queue.Chore{Name: "automations", Every: time.Minute, Do: c.automations().Due},
		queue.Chore{Name: "findings", Every: time.Minute, Do: c.automations().Published},
		queue.Chore{Name: "products", Every: time.Minute, Do: c.watcher().Look},
		queue.Chore{Name: "published-apis", Every: time.Minute, Do: c.descriptions().Published},
		queue.Chore{Name: "remote-apis", Every: time.Hour, Do: c.descriptions().Look})
	return append(list, c.alertChores()...)
}

// partialLife returns how long an incomplete upload is kept: longer than the time limit of any job that uploads.
func (c *core) partialLife() time.Duration {
	if c.Config.JobMaxTime == 0 || c.Config.ExportMaxTime == 0 {
		return 24 * time.Hour
	}
	return time.Hour + max(c.Config.JobMaxTime, c.Config.ExportMaxTime)
}

// start starts processing tasks.
func (w *workforce) start(ctx context.Context) error {
	if w.pool == nil {
		return nil
	}
	if err := w.queue.Start(ctx); err != nil {
		return err
	}
	watch, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stop = stop
	go func() {
		defer close(w.done)
		w.pool.Watch(watch)
	}()
	return nil
}

// halt lets running tasks finish within the grace period and releases the others. It does not wait for work that does
// not notice its cancellation, such as rendering a huge page: the shutdown must complete, and the task's lease
// expires.
func (w *workforce) halt(ctx context.Context) {
	if w.pool == nil || w.stop == nil { // never started
		return
	}
	w.stop()
	<-w.done
	limit, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	if err := w.queue.Stop(limit); err != nil {
		w.logger.Warn("tasks did not stop in time, abandoning them", "waited", w.patience)
	}
}

// Work runs only workers until ctx ends.
func Work(ctx context.Context, opt Options) (err error) {
	if !store.IsPostgres(opt.Config.Database) {
		return fault.New(fault.Invalid, "bad_setting", "database: separate workers require PostgreSQL.").
			WithField("database").WithHint("On the embedded database, lectern serve runs its own workers.")
	}
	c, err := openCore(ctx, opt, func() string { return opt.Config.PublicURL })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	w, err := c.newWorkforce()
	if err != nil {
		return err
	}
	ready := func(ctx context.Context) error {
		if err := c.answers(ctx); err != nil {
			return err
		}
		return c.storage.check(ctx)
	}
	ops, err := c.startOperations(ctx, ready, c.answers)
	if err != nil {
		return err
	}
	if err := w.start(ctx); err != nil {
		return errors.Join(err, ops.stop(ctx))
	}
	c.Logger.Info("worker started", "slots", c.slots(), "process", c.processID)
	<-ctx.Done()
	c.Logger.Info("worker stopping", "grace", c.Config.ShutdownGrace.String())
	end := context.WithoutCancel(ctx)
	w.halt(end)
	return ops.stop(end)
}
