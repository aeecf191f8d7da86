// The controls of the player. Until this script runs, and without it, the browser shows its own.
const screen = document.querySelector('[data-screen]')
const media = screen.querySelector('video, audio')
const bar = screen.querySelector('[data-controls]')
const say = screen.querySelector('[data-say]')
const shown = screen.querySelector('[data-shown]')
const seek = bar.querySelector('[data-seek]')
const volume = bar.querySelector('[data-volume]')
const menus = [...bar.querySelectorAll('[data-menu]')]
const IDLE_MS = 3000
const SAY_MS = 1500
const STEP_SECONDS = 10
const VOLUME_STEP = 0.05
const button = (name) => bar.querySelector(`[data-do="${name}"]`)
const choices = (name) => [...bar.querySelectorAll(`input[name="${name}"]`)]

/** On a phone the controls are below the picture, and stay. */
const isOverlay = () => getComputedStyle(bar).position === 'absolute'
const isIdle = () => screen.classList.contains('idle')

const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const words = Intl.DurationFormat && new Intl.DurationFormat(document.documentElement.lang, { style: 'long' })
/** A time as it is read aloud. Older browsers read the figures of a clock. */
const spoken = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds))
  if (!words || whole === 0) return clock(whole)
  return words.format({ hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, seconds: whole % 60 })
}

/** Tells what a key has changed, to those who see the film and to those who hear the page. */
let saying
function tell(text) {
  say.textContent = text
  screen.classList.add('says')
  clearTimeout(saying)
  saying = setTimeout(() => screen.classList.remove('says'), SAY_MS)
}

/** A button that is on or off has a name and an icon for each. */
function mark(name, isOn) {
  const each = button(name)
  if (!each) return
  each.classList.toggle('on', isOn)
  each.setAttribute('aria-label', isOn ? each.dataset.on : each.dataset.off)
  each.title = each.getAttribute('aria-label')
}

let resting
function rest() {
  clearTimeout(resting)
  const isBusy = media.paused || screen.querySelector('.p-list:not([hidden])') || media.tagName === 'AUDIO'
  if (isBusy) return
  screen.classList.add('idle')
}

/** Shows the controls, and hides them again while something plays and nothing is touched. */
function wake() {
  screen.classList.remove('idle')
  clearTimeout(resting)
  resting = setTimeout(rest, IDLE_MS)
}

let chosen = -1
/** A small window and the full screen of a phone show the film without this page, so the browser shows the subtitles. */
let isApart = false

/** A cue that has a place near the top keeps it: something is to be seen below. */
const isHigh = ({ line, snapToLines }) => line !== 'auto' && line >= 0 && line < (snapToLines ? 8 : 50)

/** Browsers put subtitles under the controls and make them small on phones, so the page shows them itself. */
function paintCues() {
  const cues = [...((!isApart && media.textTracks[chosen]?.activeCues) || [])]
  shown.classList.toggle('high', cues.some(isHigh))
  shown.replaceChildren(
    ...cues.map((cue) => {
      const line = document.createElement('p')
      const text = document.createElement('span')
      text.append(cue.getCueAsHTML())
      line.append(text)
      return line
    }),
  )
}

function showSubtitles(index) {
  chosen = index
  const input = choices('subtitles')[index + 1]
  if (input) input.checked = true
  for (const [at, track] of [...media.textTracks].entries())
    track.mode = at !== index ? 'disabled' : isApart ? 'showing' : 'hidden'
  paintCues()
}

function setApart(value) {
  isApart = value
  showSubtitles(chosen)
}

const percent = (part) => `${(100 * part || 0).toFixed(2)}%`

function paint() {
  const { currentTime, duration, buffered } = media
  const length = Number.isFinite(duration) ? duration : 0
  let ready = 0
  for (let at = 0; at < buffered.length; at += 1)
    if (buffered.start(at) <= currentTime + 0.5) ready = Math.max(ready, buffered.end(at))
  seek.max = String(length || 1)
  seek.value = String(currentTime)
  seek.style.setProperty('--played', percent(currentTime / length))
  seek.style.setProperty('--ready', percent(ready / length))
  bar.querySelector('[data-now]').textContent = clock(currentTime)
  bar.querySelector('[data-left]').textContent = `−${clock(length - currentTime)}`
  // A slider that has the focus would be read aloud all the time.
  if (document.activeElement !== seek || media.paused) paintWords()
}

function paintWords() {
  const text = seek.dataset.text.replace('##', spoken(media.duration || 0)).replace('#', spoken(media.currentTime))
  seek.setAttribute('aria-valuetext', text)
}

function paintVolume() {
  const heard = media.muted ? 0 : media.volume
  volume.value = String(heard)
  volume.style.setProperty('--played', percent(heard))
  volume.setAttribute('aria-valuetext', `${Math.round(100 * heard)} %`)
  mark('mute', heard === 0)
}

const toggle = () => (media.paused ? media.play().catch(() => {}) : media.pause())

function skip(seconds) {
  media.currentTime = Math.max(0, Math.min(media.duration || 0, media.currentTime + seconds))
  paint()
  paintWords()
}

function mute() {
  const isSilent = media.muted || media.volume === 0
  media.muted = !isSilent
  if (media.volume === 0) media.volume = 0.5
}

function louder(step) {
  media.muted = false
  media.volume = Math.min(1, Math.max(0, media.volume + step))
  tell(`${volume.getAttribute('aria-label')}: ${Math.round(100 * media.volume)} %`)
}

function fullScreen() {
  if (document.fullscreenElement) return document.exitFullscreen()
  // A phone shows the film alone, with controls of its own.
  return screen.requestFullscreen ? screen.requestFullscreen() : media.webkitEnterFullscreen()
}

const pictureInPicture = () =>
  document.pictureInPictureElement ? document.exitPictureInPicture() : media.requestPictureInPicture()

const nameOf = (input) =>
  `${input.closest('fieldset').querySelector('legend').textContent}: ${input.parentElement.textContent}`

/** Chooses one of several by a key, and tells which. */
function choose(input) {
  if (!input) return
  input.checked = true
  input.dispatchEvent(new Event('change', { bubbles: true }))
  tell(nameOf(input))
}

function changeSpeed(step) {
  const speeds = choices('speed')
  choose(speeds[speeds.findIndex((input) => input.checked) + step])
}

let lastSubtitles = 1
function toggleSubtitles() {
  const tracks = choices('subtitles')
  choose(tracks[0]?.checked ? tracks[lastSubtitles] : tracks[0])
}

const DO = {
  play: toggle,
  back: () => skip(-STEP_SECONDS),
  forward: () => skip(STEP_SECONDS),
  mute,
  pip: pictureInPicture,
  full: fullScreen,
}

const KEYS = {
  k: toggle,
  ' ': toggle,
  j: DO.back,
  l: DO.forward,
  ArrowLeft: DO.back,
  ArrowRight: DO.forward,
  ArrowUp: () => louder(VOLUME_STEP),
  ArrowDown: () => louder(-VOLUME_STEP),
  m: () => {
    mute()
    tell(media.muted ? button('mute').dataset.off : button('mute').dataset.on)
  },
  f: () => media.tagName === 'VIDEO' && fullScreen(),
  c: toggleSubtitles,
  '<': () => changeSpeed(-1),
  '>': () => changeSpeed(1),
}

/** Has the element with the focus a use of its own for the key? */
function isOwnKey(target, key) {
  if (target.matches('input[type="radio"], select, textarea')) return true
  if (target === volume) return key.startsWith('Arrow')
  if (target.matches('button, a, summary')) return key === ' '
  // Somebody who is not in the player scrolls the page with these.
  return target === document.body && (key === 'ArrowUp' || key === 'ArrowDown')
}

addEventListener('keydown', (event) => {
  const { target, key, altKey, ctrlKey, metaKey } = event
  wake()
  if (key === 'Escape') return closeMenus(true)
  const does = KEYS[key.length === 1 ? key.toLowerCase() : key]
  if (bar.hidden || altKey || ctrlKey || metaKey || !does) return
  if ((target !== document.body && !screen.contains(target)) || isOwnKey(target, key)) return
  event.preventDefault()
  does()
})

for (const [name, work] of Object.entries(DO)) button(name)?.addEventListener('click', work)

function closeMenus(withFocus = false) {
  for (const menu of menus) {
    if (menu.getAttribute('aria-expanded') === 'false') continue
    menu.setAttribute('aria-expanded', 'false')
    menu.nextElementSibling.hidden = true
    if (withFocus) menu.focus()
  }
}

for (const menu of menus) {
  menu.title = menu.getAttribute('aria-label')
  menu.addEventListener('click', () => {
    const isOpen = menu.getAttribute('aria-expanded') === 'true'
    closeMenus()
    menu.setAttribute('aria-expanded', String(!isOpen))
    menu.nextElementSibling.hidden = isOpen
    if (!isOpen) menu.nextElementSibling.querySelector('input:checked')?.focus()
  })
}
bar.addEventListener('click', ({ target, detail }) => {
  // Keys go through the choices one by one; a press of a finger or a mouse chooses.
  if (detail > 0 && target.closest('label')) closeMenus(true)
})
addEventListener('pointerdown', ({ target }) => {
  if (!target.closest?.('.p-menu')) closeMenus()
})
for (const each of [button('back'), button('forward')]) each.title = each.getAttribute('aria-label')

bar.addEventListener('change', ({ target }) => {
  if (target.name === 'speed') {
    media.defaultPlaybackRate = Number(target.value)
    media.playbackRate = media.defaultPlaybackRate
  }
  if (target.name === 'subtitles') {
    if (target.value !== '') lastSubtitles = Number(target.value) + 1
    showSubtitles(target.value === '' ? -1 : Number(target.value))
  }
})

/** The browser turns subtitles on by itself if the page or its settings say so. */
function takeSubtitles() {
  const index = [...media.textTracks].findIndex(({ mode }) => mode === 'showing')
  if (index >= 0 && (index !== chosen || !isApart)) showSubtitles(index)
}
media.textTracks.addEventListener('change', takeSubtitles)
for (const track of media.textTracks) track.addEventListener('cuechange', paintCues)

seek.addEventListener('input', () => {
  media.currentTime = Number(seek.value)
  wake()
  paint()
  paintWords()
})
seek.addEventListener('focus', paintWords)
volume.addEventListener('input', () => {
  media.volume = Number(volume.value)
  media.muted = false
  wake()
})

for (const name of ['timeupdate', 'progress', 'durationchange', 'seeked', 'loadedmetadata', 'emptied'])
  media.addEventListener(name, paint)
media.addEventListener('volumechange', paintVolume)
for (const name of ['play', 'pause', 'ended'])
  media.addEventListener(name, () => {
    mark('play', !media.paused)
    wake()
  })
media.addEventListener('waiting', () => screen.classList.add('waits'))
for (const name of ['playing', 'canplay', 'pause', 'error'])
  media.addEventListener(name, () => screen.classList.remove('waits'))
for (const [name, isOn] of Object.entries({ enterpictureinpicture: true, leavepictureinpicture: false }))
  media.addEventListener(name, () => {
    mark('pip', isOn)
    setApart(isOn)
  })
media.addEventListener('webkitbeginfullscreen', () => setApart(true))
media.addEventListener('webkitendfullscreen', () => setApart(false))
document.addEventListener('fullscreenchange', () => {
  mark('full', document.fullscreenElement === screen)
  wake()
})

/** A click plays and pauses. A tap shows the controls that are hidden, and hides those that cover the film. */
let isTouch = false
let wasIdle = false
screen.addEventListener('pointerdown', ({ pointerType }) => {
  isTouch = pointerType === 'touch'
  wasIdle = isIdle()
})
screen.addEventListener('pointermove', ({ pointerType }) => pointerType !== 'touch' && wake())
screen.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && rest())
bar.addEventListener('pointerdown', wake)
media.addEventListener('click', () => {
  if (bar.hidden) return
  if (!isTouch || media.paused || !isOverlay()) return toggle()
  return wasIdle ? wake() : rest()
})
media.addEventListener('dblclick', () => !bar.hidden && !isTouch && button('full') && fullScreen())

function show() {
  bar.hidden = false
  screen.classList.add('plays')
  paint()
  paintVolume()
  takeSubtitles()
  wake()
}

media.controls = false
if (!document.pictureInPictureEnabled || !media.requestPictureInPicture || media.disablePictureInPicture)
  button('pip')?.remove()
// Where the film alone fills the screen, it would be without the name of its buyer.
const isFilledByFilm =
  !document.fullscreenEnabled && media.webkitEnterFullscreen && !screen.querySelector('[data-mark]')
if (!document.fullscreenEnabled && !isFilledByFilm) button('full')?.remove()
for (const name of ['pip', 'full']) mark(name, false)
mark('play', !media.paused)
if (media.hasAttribute('src')) show()
media.addEventListener('loadstart', show)
