// Shows a book in a frame. The page of the shop around it has the buttons, and says where to begin.
const { kind, address, assets } = document.body.dataset
const main = document.querySelector('#book')
const tell = (message) => parent.postMessage(message, '*')

function onKey(turn) {
  return ({ key }) => {
    if (key === 'ArrowRight' || key === 'PageDown') turn(1)
    if (key === 'ArrowLeft' || key === 'PageUp') turn(-1)
  }
}

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
  view.addEventListener('relocate', ({ detail }) =>
    tell({ kind: 'place', place: detail.cfi, fraction: detail.fraction ?? 0 }),
  )
  view.addEventListener('load', ({ detail }) => detail.doc.addEventListener('keydown', onKey(turn)))
  // A link out of the book would take the reader to a page that the shop does not know.
  view.addEventListener('external-link', (event) => event.preventDefault())
  const entries = (toc) => (toc ?? []).map(({ label, href, subitems }) => ({ label, href, inside: entries(subitems) }))
  return {
    entries: entries(book.toc),
    turn,
    go: (href) => view.goTo(href),
    begin: (position) => view.init({ lastLocation: position || null, showTextStart: position === '' }),
    set({ size, dark }) {
      const colours = dark ? 'html, body { background: #101413 !important; color: #e8ecea !important; }' : ''
      view.renderer.setStyles?.(`html { font-size: ${size}%; } ${colours}`)
    },
  }
}

const CHUNK = 65_536

async function openPdf() {
  const pdfjs = await import(`${assets}/pdf.min.mjs`)
  pdfjs.GlobalWorkerOptions.workerSrc = `${assets}/pdf.worker.min.mjs`
  const pdf = await pdfjs.getDocument({
    ...{ url: `${address}/file`, rangeChunkSize: CHUNK, disableStream: true, disableAutoFetch: true },
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
    const found = typeof target === 'string' ? await pdf.getDestination(target) : target
    return found === null ? number : (await pdf.getPageIndex(found[0])) + 1
  }
  const outline = (items) =>
    (items ?? []).map(({ title, dest, items: inside }) => ({ label: title, href: dest, inside: outline(inside) }))
  addEventListener('resize', draw)
  return {
    entries: outline(await pdf.getOutline()),
    turn: (pages) => show(number + pages),
    go: async (target) => show(await pageOf(target)),
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
    document.documentElement.classList.toggle('dark', settings.dark)
    book.set(settings)
    tell({ kind: 'contents', entries: book.entries })
    await book.begin(position)
    addEventListener('keydown', onKey(book.turn))
  },
  async settings(settings) {
    document.documentElement.classList.toggle('dark', settings.dark)
    ;(await opened).set(settings)
  },
  async turn({ pages }) {
    ;(await opened).turn(pages)
  },
  async go({ href }) {
    ;(await opened).go(href)
  },
}

addEventListener('message', ({ source, data }) => {
  if (source === parent) MESSAGES[data?.kind]?.(data).catch(fail)
})

function fail(error) {
  console.error(error)
  tell({ kind: 'failed' })
}

opened.then(() => tell({ kind: 'ready' }), fail)
