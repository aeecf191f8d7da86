// What is around an open book, which is in a frame of another origin. It keeps the place, the text settings and the device.
const page = document.querySelector('[data-reading]')
const stage = page.querySelector('[data-stage]')
const where = page.querySelector('[data-where]')
const seek = page.querySelector('[data-seek]')
const { place, file, position } = page.dataset
const SAVE_MS = 15_000
const HEARTBEAT_MS = 4 * 60_000
const IDLE_MS = 3000
const SETTINGS = 'licet-reading'
const DEFAULTS = { size: 100, font: 'serif', spacing: 'normal', colours: 'auto' }
const CHOICES = {
  font: ['serif', 'sans'],
  spacing: ['tight', 'normal', 'wide'],
  colours: ['auto', 'light', 'sepia', 'dark'],
}
const night = matchMedia('(prefers-color-scheme: dark)')
const settings = { ...DEFAULTS, ...stored() }
let frame = page.querySelector('iframe')
let { origin } = page.dataset
let at
let savedAt = 0

function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(SETTINGS) ?? '{}')
    const size = Number(kept.size)
    const chosen = Object.entries(CHOICES).filter(([name, values]) => values.includes(kept[name]))
    return {
      ...(size >= 60 && size <= 240 ? { size } : {}),
      ...Object.fromEntries(chosen.map(([name]) => [name, kept[name]])),
    }
  } catch {
    return {}
  }
}

const tell = (message) => frame?.contentWindow.postMessage(message, origin)
const body = () => new URLSearchParams({ file, client_time: new Date().toISOString(), ...at })
const send = (path) =>
  fetch(`${place}${path}`, { method: 'POST', body: body(), headers: { accept: 'application/json' } })

function save() {
  savedAt = Date.now()
  if (place && at !== undefined) send('/progress').catch(() => {})
}

const shown = () => ({
  ...settings,
  colours: settings.colours === 'auto' ? (night.matches ? 'dark' : 'light') : settings.colours,
})

function apply() {
  page.dataset.colours = shown().colours
  for (const name of Object.keys(CHOICES))
    for (const input of page.querySelectorAll(`[name="${name}"]`)) input.checked = input.value === settings[name]
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(settings))
  } catch {
    // A browser that stores nothing forgets the settings.
  }
  tell({ kind: 'settings', ...shown() })
}

/** The book opens without another press. Its frame is a page of its own, which the back button does not stop at. */
async function open(form) {
  form.hidden = true
  const answer = await fetch(form.action, {
    method: 'POST',
    body: body(),
    headers: { accept: 'application/json' },
  }).catch(() => undefined)
  // Another page explains that a copy is being made, and this one explains a refusal by itself.
  if (answer?.redirected) return location.replace(answer.url)
  if (answer?.status === 403) return location.reload()
  const opened = answer?.ok ? (await answer.json()).frame : undefined
  if (opened === undefined) {
    form.hidden = false
    return fail()
  }
  origin = opened.origin
  frame = document.createElement('iframe')
  Object.assign(frame, { className: 'r-book', title: form.dataset.title, referrerPolicy: 'no-referrer' })
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  frame.src = opened.url
  stage.append(frame)
}

function fail() {
  page.querySelector('[data-failed]').hidden = false
}

const ACTIONS = {
  previous: () => tell({ kind: 'turn', pages: -1 }),
  next: () => tell({ kind: 'turn', pages: 1 }),
  smaller: () => resize(-10),
  larger: () => resize(10),
}

function resize(percent) {
  settings.size = Math.max(60, Math.min(240, settings.size + percent))
  apply()
}

const panels = [...page.querySelectorAll('[data-panel]')].map((button) => ({
  button,
  panel: document.getElementById(button.dataset.panel),
}))

function show(opened) {
  for (const { button, panel } of panels) {
    panel.hidden = panel !== opened
    button.setAttribute('aria-expanded', String(panel === opened))
  }
  opened?.querySelector('input:checked, input[type=search], [aria-current], .r-list button')?.focus()
}

function close() {
  const current = panels.find(({ panel }) => !panel.hidden)
  show(undefined)
  current?.button.focus()
}

function entry(label, href) {
  const button = document.createElement('button')
  button.type = 'button'
  button.append(...[label].flat())
  button.addEventListener('click', () => {
    close()
    tell({ kind: 'go', href })
  })
  const item = document.createElement('li')
  item.append(button)
  return item
}

function list(entries) {
  return entries.map(({ label, href, inside }) => {
    const item = entry(label, href)
    item.firstChild.dataset.label = label
    if (inside.length > 0) {
      const more = document.createElement('ol')
      more.className = 'r-list'
      more.append(...list(inside))
      item.append(more)
    }
    return item
  })
}

function marked({ pre, match, post }) {
  const mark = document.createElement('mark')
  mark.textContent = match
  return [pre, mark, post]
}

const MESSAGES = {
  ready({ flows }) {
    for (const part of page.querySelectorAll('[data-flowing]')) part.hidden = !flows
    tell({ kind: 'open', position, ...shown() })
    apply()
  },
  contents({ entries }) {
    page.querySelector('[data-toc]').hidden = entries.length === 0
    page.querySelector('[data-entries]').replaceChildren(...list(entries))
  },
  place({ place: name, fraction, number, numbers, chapter, minutes }) {
    at = { place: name, fraction: String(fraction) }
    where.textContent =
      number === undefined
        ? `${Math.round(fraction * 100)} %`
        : page.dataset.page.replace('##', numbers).replace('#', number)
    if (document.activeElement !== seek || !seek.matches(':active')) seek.value = String(fraction)
    seek.setAttribute('aria-valuetext', where.textContent)
    page.querySelector('[data-chapter]').textContent = chapter ?? ''
    page.querySelector('span[data-minutes]').textContent =
      minutes === undefined
        ? ''
        : minutes === 1
          ? page.dataset.minute
          : page.dataset.minutes.replace('7', String(minutes))
    for (const button of page.querySelectorAll('[data-entries] button'))
      if (button.dataset.label === chapter) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    if (Date.now() - savedAt > SAVE_MS) save()
  },
  found({ places, isMore }) {
    const nothing = page.querySelector('[data-nothing]')
    nothing.textContent = places.length === 0 ? nothing.dataset.text : isMore ? nothing.dataset.more : ''
    page
      .querySelector('[data-found]')
      .replaceChildren(...places.map(({ href, excerpt }) => entry(marked(excerpt), href)))
  },
  tap() {
    if (panels.some(({ panel }) => !panel.hidden)) close()
    else if (page.classList.contains('idle')) wake()
    else page.classList.add('idle')
  },
  moved: () => wake(),
  escape: () => close(),
  failed: fail,
}

addEventListener('message', (event) => {
  if (frame === null || event.source !== frame.contentWindow || event.origin !== origin) return
  MESSAGES[event.data?.kind]?.(event.data)
})
for (const button of page.querySelectorAll('[data-do]'))
  button.addEventListener('click', () => ACTIONS[button.dataset.do]())
for (const { button, panel } of panels) button.addEventListener('click', () => (panel.hidden ? show(panel) : close()))
for (const button of page.querySelectorAll('[data-close]')) button.addEventListener('click', close)
seek.addEventListener('input', () => tell({ kind: 'fraction', fraction: Number(seek.value) }))
page.querySelector('[data-text-settings]').addEventListener('change', ({ target }) => {
  settings[target.name] = target.value
  apply()
})
page.querySelector('[data-find]').addEventListener('submit', (event) => {
  event.preventDefault()
  const words = new FormData(event.target).get('words').trim()
  if (words !== '') tell({ kind: 'search', words })
})
night.addEventListener('change', apply)
addEventListener('keydown', ({ target, key }) => {
  if (key === 'Escape') close()
  if (target.matches?.('input, textarea')) return
  if (key === 'ArrowRight' || key === 'PageDown') ACTIONS.next()
  if (key === 'ArrowLeft' || key === 'PageUp') ACTIONS.previous()
})

// The bars fade while somebody reads, and come back with a movement, a key or a tap.
let idle
function wake() {
  page.classList.remove('idle')
  clearTimeout(idle)
  idle = setTimeout(() => {
    if (frame !== null && panels.every(({ panel }) => panel.hidden)) page.classList.add('idle')
  }, IDLE_MS)
}
for (const kind of ['pointermove', 'pointerdown', 'keydown', 'focusin']) addEventListener(kind, wake)
wake()
page.dataset.colours = shown().colours

// A sample belongs to nobody, so there is no place to keep and no device to free.
if (place) {
  setInterval(heartbeat, HEARTBEAT_MS)
  addEventListener('pagehide', () => {
    if (frame !== null) navigator.sendBeacon(`${place}/leave`, body())
  })
}
const form = page.querySelector('[data-open]')
if (form !== null) open(form)

async function heartbeat() {
  const answer = await send('/heartbeat').catch(() => undefined)
  // The page explains a refusal by itself, and leads to the sign-in if the session has ended.
  if (answer !== undefined && (!answer.ok || answer.redirected)) location.assign(`${place}/read?file=${file}`)
}
