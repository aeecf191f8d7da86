// Plays films and tracks, by the rights of the customer. Without this script the form leads to a page with a plain player.
const player = document.querySelector('[data-player]')
const media = player.querySelector('video, audio')
const form = player.querySelector('[data-start]')
const art = player.querySelector('[data-art]')
const titles = [...player.querySelectorAll('[data-title]')]
const { place } = player.dataset
const SAVE_MS = 15_000
/** Encrypted segments ask for a key every few seconds, which says the same. */
const HEARTBEAT_MS = player.dataset.library ? 10_000 : 4 * 60_000
const stopped = player.querySelector('[data-stopped]')
const RENEW_MS = 60_000
let file = player.dataset.file
let startAt = Number(player.dataset.seconds)
let savedAt = 0
let renewedAt = 0
let beatAt = Date.now()
let isStarted = media.hasAttribute('src')
let stream
let files = []
let playback = ''

// What plays segments is needed with the first press, and is there by then. Somebody who saves data loads it when it is needed.
if (player.dataset.library && !navigator.connection?.saveData)
  for (const part of [player.dataset.streams, player.dataset.library]) import(part).catch(() => {})

const now = () => new Date().toISOString()
const position = () =>
  new URLSearchParams({
    file,
    seconds: String(Math.floor(media.currentTime)),
    duration: String(Math.floor(media.duration || 0)),
    client_time: now(),
    playback,
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
  if (stopped) stopped.hidden = true
  media.hidden = false
  isStarted = true
  if (!(await attach(started.source))) return
  beatAt = Date.now()
  if (form) form.hidden = true
  for (const part of player.querySelectorAll('[data-settings]')) part.hidden = false
  await media.play().catch(() => {})
  if (isFirst) showRemaining().catch(() => {})
  if (isFirst) player.querySelector('[data-do="play"]').focus({ preventScroll: true })
}

/** Plays from the file, or from encrypted segments. False if the player for those could not be loaded. */
async function attach(source) {
  stream?.close()
  stream = undefined
  playback = ''
  if (source.kind === 'file') {
    media.src = source.url
    return true
  }
  ;({ files, playback } = source)
  try {
    const { openStream } = await import(player.dataset.streams)
    const options = {
      library: player.dataset.library,
      url: source.url,
      counter: source.counter,
      apart: source.apart,
      seconds: startAt,
      onStop: stop,
      onReady: showChoices,
      onLost: hideVersion,
    }
    stream = await openStream(media, options)
    return true
  } catch {
    stop({ code: 'failed', reason: '' })
    return false
  }
}

/** Says why a running film stops, in place of its picture. */
function stop({ code, reason }) {
  if (!stopped) return showWhy()
  const again = player.querySelector('[data-again]')
  const isMended = ['played_elsewhere', 'over', 'failed'].includes(code)
  media.pause()
  stream?.close()
  stream = undefined
  // What is over holds no place, which another window may have by now.
  isStarted = false
  const { here, retry, failed } = again.dataset
  stopped.querySelector('[data-why]').textContent = reason || failed
  again.textContent = code === 'failed' ? retry : here
  again.hidden = !isMended
  player.querySelector('[data-explain]').hidden = isMended
  stopped.hidden = false
  stopped.querySelector('.btn:not([hidden])').focus()
}
player.querySelector('[data-again]')?.addEventListener('click', () => start(file, media.currentTime))

/** Fills the menu of languages once it is known what there is. */
function showChoices(hls) {
  const menu = player.querySelector('[data-languages]')
  const list = menu?.querySelector('fieldset')
  if (!list) return
  menu.hidden = hls.audioTracks.length < 2
  for (const label of list.querySelectorAll('label')) label.remove()
  for (const [index, { name }] of hls.audioTracks.entries()) {
    const label = document.createElement('label')
    const input = Object.assign(document.createElement('input'), {
      type: 'radio',
      name: 'language',
      value: String(index),
    })
    input.checked = index === Math.max(0, hls.audioTrack)
    input.addEventListener('change', () => stream?.setSound(index))
    label.append(input, name)
    list.append(label)
  }
}

/** A version that the license has no longer cannot be chosen. */
function hideVersion(index) {
  for (const input of player.querySelectorAll('input[name="quality"]'))
    if (Number(input.value) === files[index]) input.closest('label').hidden = true
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
  if (Date.now() - Math.max(beatAt, stream?.keyAt() ?? 0) > HEARTBEAT_MS) beat()
  else if (Date.now() - savedAt > SAVE_MS) save()
})
media.addEventListener('pause', save)
media.addEventListener('play', () => {
  // Somebody who pauses for long has lost the place to another device, and a film can be refunded before it is watched again.
  if (Date.now() - beatAt > SAVE_MS) beat()
})
media.addEventListener('error', () => {
  if (stream !== undefined) return
  // An address works for some hours; a new one goes on at the same place. A file that is damaged there fails again at once.
  if (media.currentTime === 0 || Date.now() - renewedAt < RENEW_MS) return
  renewedAt = Date.now()
  start(file, media.currentTime)
})
media.addEventListener('ended', () => skipTo(1, 0))
media.addEventListener('durationchange', () => {
  const length = current()?.querySelector('[data-length]')
  if (length && Number.isFinite(media.duration)) length.textContent = clock(media.duration)
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
  player.querySelector('[data-name]').textContent = nameOf(title)
  return start(title.dataset.title, seconds)
}

function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)]
  return `${minutes}:${String(rest).padStart(2, '0')}`
}

const nameOf = (title) => title.querySelector('[data-track]').textContent
const current = () => titles.find((title) => title.dataset.title === file)
const near = (step) => {
  const title = titles[titles.indexOf(current()) + step]
  return media.tagName === 'AUDIO' && title?.dataset.kind === 'audio' ? title : undefined
}

/** Goes to the next track, or to the one before. A few seconds into a track, that is its own beginning. */
const RESTART_SECONDS = 4
function skipTo(step, seconds) {
  if (step < 0 && media.currentTime > RESTART_SECONDS) {
    media.currentTime = 0
    return
  }
  const title = near(step)
  if (title === undefined) return
  save()
  choose(title, seconds)
}

/** The keys of a keyboard, a headset and a locked screen. */
function showSession() {
  const session = navigator.mediaSession
  if (!session) return
  const { album, picture } = player.dataset
  const artwork = picture ? [{ src: new URL(picture, location.href).href }] : []
  const title = titles.length > 1 && current() ? nameOf(current()) : album
  session.metadata = new MediaMetadata({ title, album, artwork })
  const handlers = {
    play: () => media.play(),
    pause: () => media.pause(),
    seekbackward: ({ seekOffset }) => seekBy(-(seekOffset ?? 10)),
    seekforward: ({ seekOffset }) => seekBy(seekOffset ?? 10),
    seekto: ({ seekTime }) => {
      media.currentTime = seekTime
    },
    previoustrack: media.tagName === 'AUDIO' && titles.length > 1 ? () => skipTo(-1, 0) : null,
    nexttrack: near(1) ? () => skipTo(1, 0) : null,
  }
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      session.setActionHandler(action, handler)
    } catch {
      // Not every browser knows every key.
    }
  }
}

function seekBy(seconds) {
  media.currentTime = Math.max(0, Math.min(media.duration || 0, media.currentTime + seconds))
}

media.addEventListener('playing', showSession)
for (const button of player.querySelectorAll('[data-skip]'))
  button.addEventListener('click', () => {
    if (isStarted) skipTo(Number(button.dataset.skip), 0)
    else start(file)
  })

for (const title of titles)
  title.addEventListener('click', (event) => {
    // A film has its own picture, subtitles and versions, so it has a page of its own.
    if (media.tagName !== 'AUDIO' || title.dataset.kind !== 'audio') return
    event.preventDefault()
    save()
    choose(title)
  })

for (const version of player.querySelectorAll('input[name="quality"]'))
  version.addEventListener('change', () => {
    if (stream === undefined) return start(version.value, media.currentTime)
    stream.setLevel(files.indexOf(Number(version.value)))
  })
player.querySelector('[data-restart]')?.addEventListener('click', () => {
  media.currentTime = 0
})

if (isStarted) for (const part of player.querySelectorAll('[data-settings]')) part.hidden = false
// A page that was opened by a press elsewhere begins at once.
if (player.dataset.stream) {
  const { stream: url, counter, apart, playback: id, files: list } = player.dataset
  isStarted = true
  const listOf = (address) => address && { url: address, first: [] }
  const lists = { url, counter: listOf(counter), apart: listOf(apart) }
  attach({ kind: 'stream', ...lists, playback: id, files: list.split(',').map(Number) }).then(
    (isOpen) => isOpen && media.play().catch(() => {}),
  )
}
