// Plays protected films from encrypted segments, with a library that is loaded while the page waits for the press of Play.
const BUFFER_SECONDS = 8
const RETRY_MS = 3000
const FAILURES_MAX = 5

/** What the service says with a refusal; undefined if it says nothing. */
function refusalIn({ networkDetails, response }) {
  if (!response || response.code < 400 || response.code === 429 || response.code >= 500) return undefined
  try {
    const { code, reason } = JSON.parse(new TextDecoder().decode(networkDetails.response))
    return { code, reason }
  } catch {
    return { code: 'over', reason: '' }
  }
}

/** The name of a list begins with its version. Folders before it may begin with anything. */
const versionOf = ({ url: [address] }) =>
  Number.parseInt(new URL(address, location.href).pathname.split('/').at(-1), 10)

/** Asks for what is needed first, all at once. Each answer is given once, to whoever needs it. */
function askAhead(addresses) {
  const headers = { 'x-client-time': new Date().toISOString() }
  const askFor = async (address) => {
    const start = performance.now()
    const answer = await fetch(address, { headers })
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    const first = performance.now()
    const bytes = await answer.arrayBuffer()
    return { bytes, code: answer.status, loading: { start, first, end: performance.now() } }
  }
  const asked = new Map()
  for (const address of addresses) {
    const answer = askFor(address)
    // Nobody may ever need it.
    answer.catch(() => {})
    asked.set(new URL(address, location.href).href, answer)
  }
  return (address) => {
    const { href } = new URL(address, location.href)
    const answer = asked.get(href)
    asked.delete(href)
    return answer
  }
}

/** A loader of the library that takes what was asked for ahead, and loads everything else, and what was refused. */
const loaderOver = (Loader, takeAhead) =>
  class extends Loader {
    async load(context, config, callbacks) {
      const answer = await takeAhead(context.url)?.catch(() => undefined)
      if (this.isLeft) return
      if (answer === undefined) return super.load(context, config, callbacks)
      const { bytes, code, loading } = answer
      const { stats } = this
      stats.loading = loading
      stats.loaded = stats.total = bytes.byteLength
      const data = context.responseType === 'arraybuffer' ? bytes : new TextDecoder().decode(bytes)
      callbacks.onSuccess({ url: context.url, data, code }, stats, context, null)
    }
    abort() {
      this.isLeft = true
      super.abort()
    }
    destroy() {
      this.isLeft = true
      super.destroy()
    }
  }

/** W3C Clear Key: the browser decrypts apart from the page, which cannot draw the pictures then. */
const CLEAR_KEY = 'org.w3.clearkey'

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Has the browser ask for a key by its name, at the address beside the lists. */
const apartOptions = (url) => ({
  emeEnabled: true,
  drmSystems: {
    [CLEAR_KEY]: {
      licenseUrl: url.replace(/[^/]*$/, 'license'),
      generateRequest: (_type, _data, { decryptdata }) => ({
        initDataType: 'keyids',
        initData: new TextEncoder().encode(JSON.stringify({ kids: [base64url(decryptdata.keyId)] })).buffer,
      }),
    },
  },
  drmSystemOptions: { audioEncryptionScheme: 'cbcs', videoEncryptionScheme: 'cbcs' },
  licenseXhrSetup(xhr, address) {
    xhr.open('POST', address, true)
    xhr.setRequestHeader('content-type', 'application/json')
    xhr.setRequestHeader('x-client-time', new Date().toISOString())
  },
})

/**
 * Puts a film together in a media element. Where there is `apart`, a browser that decrypts apart from the page plays from it. Any
 * other plays from `counter`, which the service encrypts faster, or from `url` if it has no cryptography of its own. `onStop` hears
 * why it stops, `onReady` what can be chosen, and `onLost` which version no longer can be. The answer has the choices, the time of
 * the last key, and `close`.
 */
export async function openStream(media, { library, url, counter, apart, seconds, onStop, onReady, onLost }) {
  const { default: Hls } = await import(library)
  // Browsers that know no media sources play lists by themselves. Some that know both do not decrypt all of them.
  if (!Hls.isSupported()) {
    if (media.canPlayType('application/vnd.apple.mpegurl') === '') throw new Error('this browser plays no segments')
    media.src = url
    return { keyAt: () => 0, close: () => media.removeAttribute('src'), setLevel() {}, setSound() {} }
  }
  // Only a page with a secure address has it.
  const whole = crypto.subtle ? counter : { url, first: [] }
  let keyAt = Date.now()
  let failures = 0
  let hls

  function stop(why) {
    media.pause()
    hls.destroy()
    onStop(why)
  }

  /** Goes on without the versions in HD. False if there is no other one. */
  function leaveHd({ frag }) {
    const version = frag && versionOf({ url: [frag.baseurl] })
    const isLost = (level) => versionOf(level) === version
    if (version === undefined || hls.levels.every(isLost)) return false
    for (let index = hls.levels.length - 1; index >= 0; index -= 1)
      if (isLost(hls.levels[index])) hls.removeLevel(index)
    hls.nextLevel = -1
    hls.startLoad(media.currentTime)
    onLost(version)
    return true
  }

  function open({ url: address, first }, options = {}) {
    const isApart = options.emeEnabled === true
    let hasKey = false
    const isList = (each) => each.endsWith('.m3u8')
    // Somebody who goes on in the middle needs the lists, and other segments.
    const takeAhead = askAhead(seconds > 0 ? first.filter(isList) : first)
    const made = new Hls({
      loader: loaderOver(Hls.DefaultConfig.loader, takeAhead),
      enableWorker: false,
      enableWebVTT: false,
      startPosition: seconds > 0 ? seconds : -1,
      // Little is loaded ahead, because what is loaded can be played although a key is refused.
      maxBufferLength: BUFFER_SECONDS,
      maxMaxBufferLength: BUFFER_SECONDS,
      backBufferLength: 30,
      xhrSetup(xhr, part) {
        xhr.open('GET', part, true)
        if (part.endsWith('.key')) xhr.setRequestHeader('x-client-time', new Date().toISOString())
      },
      ...options,
    })
    hls = made
    made.on(Hls.Events.KEY_LOADED, () => {
      keyAt = Date.now()
      failures = 0
      hasKey = true
    })
    made.on(Hls.Events.MANIFEST_PARSED, () => onReady(made))
    made.on(Hls.Events.AUDIO_TRACKS_UPDATED, () => onReady(made))
    made.on(Hls.Events.ERROR, (_event, data) => {
      // Pictures and sound report the same refusal, the second of them when all is over.
      if (hls !== made) return
      const refusal = refusalIn(data)
      if (refusal?.code === 'hd_refused' && leaveHd(data)) return
      if (refusal) return stop(refusal)
      if (isApart && !hasKey && data.type === Hls.ErrorTypes.KEY_SYSTEM_ERROR && !data.response) {
        const wasPlaying = !media.paused
        made.destroy()
        open(whole)
        if (wasPlaying) media.play().catch(() => {})
        return
      }
      if (!data.fatal) return
      failures += 1
      if (failures > FAILURES_MAX) return stop({ code: 'failed', reason: '' })
      if (data.type === Hls.ErrorTypes.MEDIA_ERROR) made.recoverMediaError()
      else setTimeout(() => hls === made && made.startLoad(), RETRY_MS)
    })
    made.loadSource(address)
    made.attachMedia(media)
  }

  // Only a page with a secure address has it.
  if (apart && navigator.requestMediaKeySystemAccess) open(apart, apartOptions(apart.url))
  else open(whole)
  return {
    keyAt: () => keyAt,
    close: () => hls.destroy(),
    /** A version by its place in the list, or -1 for the best that the line carries. */
    setLevel(version) {
      hls.nextLevel = version < 0 ? -1 : hls.levels.findIndex((level) => versionOf(level) === version)
    },
    setSound(index) {
      hls.audioTrack = index
    },
  }
}
