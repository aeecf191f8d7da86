// The buttons around an open book, which is in a frame of another origin. It keeps the place and the device.
const page = document.querySelector('[data-reading]')
const frame = page.querySelector('iframe')
const contents = page.querySelector('[data-toc]')
const where = page.querySelector('[data-where]')
const { place, file, origin, position } = page.dataset
const SAVE_MS = 15_000
const HEARTBEAT_MS = 4 * 60_000
const SETTINGS = 'licet-reading'
const settings = { size: 100, dark: matchMedia('(prefers-color-scheme: dark)').matches, ...stored() }
let at
let savedAt = 0

function stored() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS) ?? '{}')
  } catch {
    return {}
  }
}

const tell = (message) => frame.contentWindow.postMessage(message, origin)
const body = () => new URLSearchParams({ file, client_time: new Date().toISOString(), ...at })
const send = (path) =>
  fetch(`${place}${path}`, { method: 'POST', body: body(), headers: { accept: 'application/json' } })

function save() {
  savedAt = Date.now()
  if (place && at !== undefined) send('/progress').catch(() => {})
}

function apply() {
  page.querySelector('[data-do="dark"]').setAttribute('aria-pressed', String(settings.dark))
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(settings))
  } catch {
    // A browser that stores nothing forgets the size of the text.
  }
  tell({ kind: 'settings', ...settings })
}

const ACTIONS = {
  previous: () => tell({ kind: 'turn', pages: -1 }),
  next: () => tell({ kind: 'turn', pages: 1 }),
  smaller: () => resize(-10),
  larger: () => resize(10),
  dark() {
    settings.dark = !settings.dark
    apply()
  },
}

function resize(percent) {
  settings.size = Math.max(60, Math.min(240, settings.size + percent))
  apply()
}

function list(entries) {
  return entries.map(({ label, href, inside }) => {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', () => {
      contents.open = false
      tell({ kind: 'go', href })
    })
    item.append(button)
    if (inside.length > 0) {
      const more = document.createElement('ol')
      more.append(...list(inside))
      item.append(more)
    }
    return item
  })
}

const MESSAGES = {
  ready() {
    tell({ kind: 'open', position, ...settings })
    apply()
  },
  contents({ entries }) {
    contents.hidden = entries.length === 0
    contents.querySelector('ol').replaceChildren(...list(entries))
  },
  place({ place: name, fraction, number, numbers }) {
    at = { place: name, fraction: String(fraction) }
    where.textContent =
      number === undefined
        ? `${Math.round(fraction * 100)} %`
        : page.dataset.page.replace('##', numbers).replace('#', number)
    if (Date.now() - savedAt > SAVE_MS) save()
  },
  failed() {
    page.querySelector('[data-failed]').hidden = false
  },
}

addEventListener('message', (event) => {
  if (event.source !== frame.contentWindow || event.origin !== origin) return
  MESSAGES[event.data?.kind]?.(event.data)
})
for (const button of page.querySelectorAll('[data-do]'))
  button.addEventListener('click', () => ACTIONS[button.dataset.do]())
addEventListener('keydown', ({ target, key }) => {
  if (target !== document.body) return
  if (key === 'ArrowRight' || key === 'PageDown') ACTIONS.next()
  if (key === 'ArrowLeft' || key === 'PageUp') ACTIONS.previous()
})
// A sample belongs to nobody, so there is no place to keep and no device to free.
if (place) {
  setInterval(heartbeat, HEARTBEAT_MS)
  addEventListener('pagehide', () => navigator.sendBeacon(`${place}/leave`, body()))
}

async function heartbeat() {
  const answer = await send('/heartbeat').catch(() => undefined)
  // The page explains a refusal by itself, and leads to the sign-in if the session has ended.
  if (answer !== undefined && (!answer.ok || answer.redirected)) location.assign(`${place}/read?file=${file}`)
}
