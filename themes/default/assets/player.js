// Plays films and tracks, by the rights of the customer. Without this script the form leads to a page with a plain player.
const player = document.querySelector('[data-player]')
const media = player.querySelector('video, audio')
const form = player.querySelector('[data-start]')
const art = player.querySelector('[data-art]')
const titles = [...player.querySelectorAll('[data-title]')]
const { place } = player.dataset
const SAVE_MS = 15_000
const HEARTBEAT_MS = 4 * 60_000
const RENEW_MS = 60_000
let file = player.dataset.file
let startAt = Number(player.dataset.seconds)
let savedAt = 0
let renewedAt = 0
let beatAt = Date.now()
let isStarted = media.hasAttribute('src')

const now = () => new Date().toISOString()
const position = () =>
  new URLSearchParams({
    file,
    seconds: String(Math.floor(media.currentTime)),
    duration: String(Math.floor(media.duration || 0)),
    client_time: now(),
  })

/** The page explains a refusal by itself, and leads to the sign-in if the session has ended. */
const showWhy = () => location.assign(`${place}/play?file=${file}`)

const send = (path, body) => fetch(`${place}${path}`, { method: 'POST', body, headers: { accept: 'application/json' } })

/** The first use may start the time of a rental, which the page then says. */
async function showRemaining() {
  const answer = await fetch(`${place}/play?file=${file}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const latest = page.querySelectorAll('.player .chips')
  for (const [index, chips] of player.querySelectorAll('.chips').entries())
    if (latest[index]) chips.replaceWith(latest[index])
}

async function start(wanted, seconds) {
  const isFirst = !isStarted
  file = wanted
  const answer = await send('/play', new URLSearchParams({ file, client_time: now() })).catch(() => undefined)
  const isJson = answer?.headers.get('content-type')?.startsWith('application/json')
  if (!answer?.ok || !isJson) return showWhy()
  const started = await answer.json()
  startAt = seconds ?? started.seconds
  media.src = started.source.url
  media.hidden = false
  isStarted = true
  beatAt = Date.now()
  if (form) form.hidden = true
  for (const part of player.querySelectorAll('[data-settings]')) part.hidden = false
  await media.play().catch(() => {})
  if (isFirst) showRemaining().catch(() => {})
  if (isFirst) player.querySelector('[data-do="play"]').focus({ preventScroll: true })
}

function save() {
  if (!isStarted || media.readyState === 0) return
  savedAt = Date.now()
  send('/progress', position()).catch(() => {})
}

async function beat() {
  beatAt = Date.now()
  savedAt = beatAt
  const answer = await send('/heartbeat', position()).catch(() => undefined)
  // Without a connection the film goes on: the place is kept for a quarter of an hour.
  if (answer === undefined || (answer.ok && !answer.redirected)) return
  media.pause()
  showWhy()
}

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  start(file)
})
media.addEventListener('loadedmetadata', () => {
  if (startAt > 0 && startAt < media.duration) media.currentTime = startAt
  startAt = 0
})
media.addEventListener('loadeddata', () => {
  // The picture stays until the film has one of its own, and a track has none.
  if (art && media.tagName === 'VIDEO') art.hidden = true
})
media.addEventListener('timeupdate', () => {
  if (Date.now() - beatAt > HEARTBEAT_MS) beat()
  else if (Date.now() - savedAt > SAVE_MS) save()
})
media.addEventListener('pause', save)
media.addEventListener('play', () => {
  // Somebody who pauses for long has lost the place to another device.
  if (Date.now() - beatAt > HEARTBEAT_MS) beat()
})
media.addEventListener('error', () => {
  // An address works for some hours; a new one goes on at the same place. A file that is damaged there fails again at once.
  if (media.currentTime === 0 || Date.now() - renewedAt < RENEW_MS) return
  renewedAt = Date.now()
  start(file, media.currentTime)
})
media.addEventListener('ended', () => {
  const next = titles[titles.findIndex((title) => title.dataset.title === file) + 1]
  if (next?.dataset.kind === 'audio') choose(next, 0)
})
addEventListener('pagehide', () => {
  if (isStarted) navigator.sendBeacon(`${place}/leave`, position())
})
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && isStarted) beat()
})

function choose(title, seconds) {
  for (const each of titles) each.removeAttribute('aria-current')
  title.setAttribute('aria-current', 'true')
  player.querySelector('[data-name]').textContent = title.querySelector('span').textContent
  return start(title.dataset.title, seconds)
}

for (const title of titles)
  title.addEventListener('click', (event) => {
    // A film has its own picture, subtitles and versions, so it has a page of its own.
    if (media.tagName !== 'AUDIO' || title.dataset.kind !== 'audio') return
    event.preventDefault()
    save()
    choose(title)
  })

for (const version of player.querySelectorAll('input[name="quality"]'))
  version.addEventListener('change', () => start(version.value, media.currentTime))
player.querySelector('[data-restart]')?.addEventListener('click', () => {
  media.currentTime = 0
})

if (isStarted) for (const part of player.querySelectorAll('[data-settings]')) part.hidden = false
