// The exports of an organization, live. The key is kept in a variable of this page and nowhere else.

const form = document.getElementById('open')
const list = document.getElementById('jobs')
const none = document.getElementById('none')
const trouble = document.getElementById('trouble')
const base = '/v1/static-export/jobs'
let key = ''
let streams = new AbortController()

form.addEventListener('submit', (event) => {
  event.preventDefault()
  key = form.elements.key.value.trim()
  load()
})

// call asks the API; what it refuses is shown as its own sentence.
async function call(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { Authorization: 'Bearer ' + key }, cache: 'no-store', redirect: 'error' })
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}))
    throw new Error([body.error ?? 'The server answered ' + answer.status + '.', body.hint].filter(Boolean).join(' '))
  }
  return answer
}

function complain(error) {
  trouble.textContent = error ? error.message : ''
  trouble.hidden = !error
}

async function load() {
  streams.abort()
  streams = new AbortController()
  try {
    const page = await (await call(base + '?limit=50')).json()
    list.replaceChildren(...page.jobs.map((job) => new Entry(job).node))
    none.hidden = page.jobs.length > 0
    complain(null)
  } catch (error) {
    complain(error)
  }
}

// make is an element with properties and children.
function make(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

// clock writes seconds as people say them.
function clock(seconds) {
  if (seconds < 60) return seconds + ' s'
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? minutes + ' min ' + (seconds % 60) + ' s' : Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min'
}

// Entry is one job on the page, kept up to date until it ends.
class Entry {
  constructor(job) {
    this.id = job.jobId
    this.title = make('h2')
    this.state = make('span', { className: 'state' })
    this.bar = make('progress', { max: 100 })
    this.doing = make('p', { className: 'doing' })
    this.found = make('ul', { className: 'found' })
    this.actions = make('div', { className: 'row' })
    this.node = make('li', { className: 'card', id: this.id }, make('div', { className: 'row' }, this.title, this.state), this.bar, this.doing, this.found, this.actions)
    this.show(job)
    if (!this.ended) this.follow(streams.signal)
  }

  show(job) {
    this.ended = job.status === 'completed' || job.status === 'failed'
    this.node.dataset.status = job.status
    this.node.dataset.stage = job.stage
    this.title.textContent = job.domain + (job.version ? ' · ' + job.version : '')
    this.state.textContent = job.status
    this.bar.value = job.progress
    this.bar.hidden = job.status === 'failed'
    this.bar.textContent = job.progress + ' %'
    this.doing.textContent = this.line(job)
    this.found.replaceChildren(...(job.status === 'failed' ? job.diagnostics : []).map((d) => {
      const place = [d.file, d.line || null, d.column || null].filter(Boolean).join(':')
      return make('li', {}, make('code', { textContent: place }), ' ' + d.message)
    }))
    this.actions.replaceChildren(...this.buttons(job))
  }

  // line says what the job is doing, how fast, and how long it may take.
  line(job) {
    if (job.status === 'failed') return job.error
    const parts = [job.message]
    if (!this.ended) parts.push(job.progress.toFixed(1) + ' %')
    if (job.pagesPerSecond !== null) parts.push(Math.round(job.pagesPerSecond) + ' pages/s')
    if (job.secondsLeft !== null && !this.ended) parts.push('about ' + clock(job.secondsLeft) + ' left')
    if (job.status === 'completed') parts.push(job.pageCount + (job.pageCount === 1 ? ' page' : ' pages'))
    return parts.join(' · ')
  }

  buttons(job) {
    if (!this.ended) return [this.button('Cancel', () => call(base + '/' + this.id + '/cancel', { method: 'POST' }))]
    if (job.status === 'failed' || job.bundleExpiredAt !== null) return []
    return ['tar.gz', 'zip'].map((format) => this.button('Download ' + format, async () => {
      const link = await (await call(base + '/' + this.id + '/bundle?format=' + format, { method: 'POST' })).json()
      location.assign(link.bundleUrl)
    }))
  }

  button(text, act) {
    const node = make('button', { type: 'button', textContent: text })
    node.addEventListener('click', async () => {
      node.disabled = true
      try {
        await act()
        complain(null)
      } catch (error) {
        complain(error)
      }
      node.disabled = false
    })
    return node
  }

  // follow reads the job's events. EventSource cannot send a key, so the stream is read here; one that breaks off is opened again.
  async follow(signal) {
    while (!this.ended && !signal.aborted) {
      try {
        const answer = await call(base + '/' + this.id + '/events', { signal })
        let rest = ''
        for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
          const lines = (rest + text).split('\n')
          rest = lines.pop()
          for (const line of lines) if (line.startsWith('data: ')) this.show(JSON.parse(line.slice(6)))
        }
      } catch (error) {
        if (signal.aborted) return
        complain(error)
      }
      if (!this.ended) await new Promise((again) => setTimeout(again, 2000))
    }
  }
}
