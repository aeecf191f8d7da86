// Shows a book in a frame. The page of the shop around it has the buttons, and says where to begin.
const { kind, address, assets } = document.body.dataset
const main = document.querySelector('#book')
const tell = (message) => parent.postMessage(message, '*')

function onKey(turn) {
  return ({ key }) => {
    if (key === 'ArrowRight' || key === 'PageDown') turn(1)
    if (key === 'ArrowLeft' || key === 'PageUp') turn(-1)
    if (key === 'Escape') tell({ kind: 'escape' })
  }
}

/** The outer thirds of the page turn it, and the middle shows and hides the bars around the book. */
function tap(x, turn) {
  const part = x / innerWidth
  if (part < 0.3) turn(-1)
  else if (part > 0.7) turn(1)
  else tell({ kind: 'tap' })
}

const isLink = (target) => target.closest?.('a[href], button, input, audio, video') !== null

let movedAt = 0
/** Not every movement is worth a message. */
function onMove({ movementX, movementY }) {
  if (Math.abs(movementX) + Math.abs(movementY) < 2 || Date.now() - movedAt < 500) return
  movedAt = Date.now()
  tell({ kind: 'moved' })
}

const PAPER = {
  light: { paper: '#fffdf9', ink: '#1b1b19' },
  sepia: { paper: '#f6ecd9', ink: '#3a2f21' },
  dark: { paper: '#121413', ink: '#d9dedb' },
}
const FONTS = {
  serif: '"Iowan Old Style", Charter, Georgia, "Liberation Serif", serif',
  sans: 'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
}
const SPACINGS = { tight: 1.4, normal: 1.6, wide: 1.9 }
const FOUND_MAX = 100
const AROUND = 60

async function get(path) {
  const answer = await fetch(`${address}${path}`)
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
  return answer
}

async function openEpub() {
  const sizes = new Map(Object.entries(await (await get('/parts')).json()))
  const part = (name) => (sizes.has(name) ? get(`/part?name=${encodeURIComponent(name)}`) : undefined)
  const [{ EPUB }] = await Promise.all([import(`${assets}/epub.js`), import(`${assets}/view.js`)])
  const book = await new EPUB({
    loadText: async (name) => (await part(name))?.text() ?? null,
    loadBlob: async (name, type) => {
      const answer = await part(name)
      return answer === undefined ? null : new Blob([await answer.arrayBuffer()], { type: type ?? '' })
    },
    getSize: (name) => sizes.get(name) ?? 0,
    sha1: async (text) => new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))),
  }).init()
  const view = document.createElement('foliate-view')
  main.append(view)
  await view.open(book)
  // The view ignores a turn while it turns, so turns wait for each other.
  let turned = Promise.resolve()
  const turn = (pages) => {
    turned = turned.then(() => (pages > 0 ? view.next() : view.prev()))
    return turned
  }
  view.addEventListener('relocate', ({ detail }) => {
    const { cfi, fraction = 0, tocItem, time } = detail
    const minutes = time === undefined ? undefined : Math.max(1, Math.round(time.section))
    tell({ kind: 'place', place: cfi, fraction, chapter: tocItem?.label?.trim(), minutes })
  })
  view.addEventListener('load', ({ detail: { doc } }) => {
    doc.addEventListener('keydown', onKey(turn))
    doc.addEventListener('pointermove', onMove)
    doc.addEventListener('click', (event) => {
      if (isLink(event.target) || !doc.getSelection().isCollapsed) return
      tap(event.clientX + doc.defaultView.frameElement.getBoundingClientRect().left, turn)
    })
  })
  // A link out of the book would take the reader to a page that the shop does not know.
  view.addEventListener('external-link', (event) => event.preventDefault())
  const entries = (toc) => (toc ?? []).map(({ label, href, subitems }) => ({ label, href, inside: entries(subitems) }))
  return {
    entries: entries(book.toc),
    turn,
    go: (href) => view.goTo(href),
    begin: (position) => view.init({ lastLocation: position || null, showTextStart: position === '' }),
    goToFraction: (fraction) => view.goToFraction(fraction),
    async search(words) {
      const places = []
      for await (const result of view.search({ query: words })) {
        for (const { cfi, excerpt } of result.subitems ?? []) places.push({ href: cfi, excerpt })
        if (places.length > FOUND_MAX) break
      }
      return places
    },
    set({ size, font, spacing, colours }) {
      const { paper, ink } = PAPER[colours]
      const isPlain = colours === 'light'
      view.renderer.setStyles?.(`
        html { font-size: ${size}%; color-scheme: ${colours === 'dark' ? 'dark' : 'light'}; }
        html, body { background: ${paper} !important; color: ${ink} ${isPlain ? '' : '!important'}; }
        ${isPlain ? '' : 'body * { color: inherit !important; background-color: transparent !important; }'}
        body, p, li, blockquote, dd { font-family: ${FONTS[font]} !important; line-height: ${SPACINGS[spacing]} !important; }
        p { hanging-punctuation: allow-end last; hyphens: auto; orphans: 2; widows: 2; }`)
    },
  }
}

const CHUNK = 65_536
/** A protected document is sent in parts of this size at most. */
const PART_MAX = 1_048_576

const after = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

/** Bytes of the document. Somebody who turns many pages of pictures waits for the next ones. */
async function fetchPart(first, last) {
  const answer = await fetch(`${address}/file`, { headers: { range: `bytes=${first}-${last}` } })
  if (answer.status === 429) {
    await after(Number(answer.headers.get('retry-after')) || 1)
    return fetchPart(first, last)
  }
  if (!answer.ok) throw new Error(`the document was refused: ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** How the library gets a document: by parts from the beginning, because it would otherwise begin to fetch the whole. */
async function openParts({ PDFDataRangeTransport }) {
  const { ok, status, headers } = await fetch(`${address}/file`, { method: 'HEAD' })
  if (!ok) throw new Error(`the document was refused: ${status}`)
  const transport = new PDFDataRangeTransport(Number(headers.get('content-length')), null)
  transport.requestDataRange = async (first, end) => {
    const parts = new Uint8Array(end - first)
    try {
      for (let at = first; at < end; at += PART_MAX)
        parts.set(await fetchPart(at, Math.min(end, at + PART_MAX) - 1), at - first)
      transport.onDataRange(first, parts)
    } catch (error) {
      transport.abort()
      throw error
    }
  }
  return transport
}

async function openPdf() {
  const pdfjs = await import(`${assets}/pdf.min.mjs`)
  pdfjs.GlobalWorkerOptions.workerSrc = `${assets}/pdf.worker.min.mjs`
  const pdf = await pdfjs.getDocument({
    ...{ range: await openParts(pdfjs), rangeChunkSize: CHUNK, disableStream: true, disableAutoFetch: true },
    ...{ cMapUrl: `${assets}/cmaps/`, cMapPacked: true, standardFontDataUrl: `${assets}/standard_fonts/` },
    ...{ isEvalSupported: false, enableXfa: false, useWasm: false },
  }).promise
  const canvas = document.createElement('canvas')
  main.append(canvas)
  let number = 1
  let scale = 1
  let drawing

  async function draw() {
    const page = await pdf.getPage(number)
    const { width } = page.getViewport({ scale: 1 })
    const fit = Math.min(main.clientWidth / width, 1.6) * scale
    const viewport = page.getViewport({ scale: fit * devicePixelRatio })
    drawing?.cancel()
    Object.assign(canvas, { width: viewport.width, height: viewport.height })
    canvas.style.width = `${viewport.width / devicePixelRatio}px`
    drawing = page.render({ canvas, viewport })
    await drawing.promise.catch(() => {})
    tell({ kind: 'place', place: `page:${number}`, fraction: number / pdf.numPages, number, numbers: pdf.numPages })
  }

  function show(wanted) {
    number = Math.max(1, Math.min(pdf.numPages, wanted))
    main.scrollTo(0, 0)
    return draw()
  }

  async function pageOf(target) {
    if (typeof target === 'number') return target
    const found = typeof target === 'string' ? await pdf.getDestination(target) : target
    return found === null ? number : (await pdf.getPageIndex(found[0])) + 1
  }
  const outline = (items) =>
    (items ?? []).map(({ title, dest, items: inside }) => ({ label: title, href: dest, inside: outline(inside) }))
  addEventListener('resize', draw)
  const turn = (pages) => show(number + pages)
  main.addEventListener('pointermove', onMove)
  main.addEventListener('click', ({ clientX }) => tap(clientX, turn))
  let touch
  main.addEventListener('touchstart', ({ touches }) => {
    touch = touches.length === 1 ? touches[0] : undefined
  })
  main.addEventListener('touchend', ({ changedTouches: [end] }) => {
    const [x, y] = touch === undefined ? [0, 0] : [end.clientX - touch.clientX, end.clientY - touch.clientY]
    // A page that is larger than the screen is moved, and not turned.
    if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y) && main.scrollWidth <= main.clientWidth) turn(x < 0 ? 1 : -1)
  })
  return {
    entries: outline(await pdf.getOutline()),
    turn,
    go: async (target) => show(await pageOf(target)),
    goToFraction: (fraction) => show(Math.max(1, Math.round(fraction * pdf.numPages))),
    async search(words) {
      const places = []
      const wanted = words.toLocaleLowerCase()
      for (let at = 1; at <= pdf.numPages && places.length <= FOUND_MAX; at += 1) {
        const { items } = await (await pdf.getPage(at)).getTextContent()
        const text = items.map(({ str, hasEOL }) => `${str ?? ''}${hasEOL ? ' ' : ''}`).join('')
        const found = text.toLocaleLowerCase().indexOf(wanted)
        if (found === -1) continue
        const end = found + words.length
        const excerpt = {
          pre: text.slice(Math.max(0, found - AROUND), found),
          match: text.slice(found, end),
          post: text.slice(end, end + AROUND),
        }
        places.push({ href: at, excerpt })
      }
      return places
    },
    begin: (position) => show(Number(/^page:(\d{1,6})$/.exec(position)?.[1] ?? 1)),
    set({ size }) {
      if (size / 100 === scale) return
      scale = size / 100
      draw()
    },
  }
}

const opened = kind === 'pdf' ? openPdf() : openEpub()

const MESSAGES = {
  async open({ position, ...settings }) {
    const book = await opened
    paint(settings)
    book.set(settings)
    tell({ kind: 'contents', entries: book.entries })
    await book.begin(position)
    addEventListener('keydown', onKey(book.turn))
  },
  async settings(settings) {
    paint(settings)
    ;(await opened).set(settings)
  },
  async turn({ pages }) {
    ;(await opened).turn(pages)
  },
  async go({ href }) {
    ;(await opened).go(href)
  },
  async fraction({ fraction }) {
    ;(await opened).goToFraction(fraction)
  },
  async search({ words }) {
    const places = await (await opened).search(words)
    tell({ kind: 'found', places: places.slice(0, FOUND_MAX), isMore: places.length > FOUND_MAX })
  },
}

function paint({ colours }) {
  document.documentElement.className = colours
}

addEventListener('message', ({ source, data }) => {
  if (source === parent) MESSAGES[data?.kind]?.(data).catch(fail)
})

function fail(error) {
  console.error(error)
  tell({ kind: 'failed' })
}

opened.then(() => tell({ kind: 'ready', flows: kind === 'epub' }), fail)
