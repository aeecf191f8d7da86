import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from '../answers/encodings.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The app that the reference page signs readers in with; the page is one of its redirect URIs. */
    referenceClientId: string | undefined
  }
}

/** The colours of the reference, where its own have too little contrast for small text. */
const COLOURS = `.light-mode { --scalar-color-2: #5c5c5c; --scalar-color-3: #6b6b6b; --scalar-color-blue: #0067ad; --scalar-color-green: #00734a;
  --scalar-color-orange: #b23a00; --scalar-color-red: #c60000; }
.dark-mode { --scalar-color-3: #9c9c9c; --scalar-color-red: #ff6e6e; }`

/**
 * What the page shows and what it leaves out: nothing of it comes from, or goes to, another host. A token stays in the
 * browser until the reader removes it, because entering it again after each reload is a nuisance.
 */
const configuration = (clientId: string | undefined, scopes: readonly string[]) => ({
  url: '/openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  persistAuth: true,
  customCss: COLOURS,
  authentication: {
    preferredSecurityScheme: 'bearer',
    securitySchemes: { oauth2: { flows: { authorizationCode: signIn(clientId, scopes) } } },
  },
})

function signIn(clientId: string | undefined, selectedScopes: readonly string[]) {
  return { 'x-usePkce': 'SHA-256', selectedScopes, ...(clientId && { 'x-scalar-client-id': clientId }) }
}

const TITLE = 'Licet reference'
/** The reference has buttons with a picture only, which copy what stands beside them. It gives them no name. */
const NAMED_BUTTONS = `new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      for (const button of node.parentElement?.querySelectorAll('button[class*="copy-button"]:not([aria-label])') ?? [])
        button.setAttribute('aria-label', 'Copy')
}).observe(document, { childList: true, subtree: true })`

/** Runs before the other script, whose validator would otherwise try to compile code, which the policy forbids. */
function startScript(clientId: string | undefined, scopes: readonly string[]): { name: string; text: string } {
  const text = `globalThis.__zod_globalConfig = { jitless: true }
${NAMED_BUTTONS}
addEventListener('DOMContentLoaded', () =>
  Scalar.createApiReference('#app', ${JSON.stringify(configuration(clientId, scopes))}))
`
  return { name: `start-${hash('sha256', text).slice(0, 16)}.js`, text }
}

/**
 * The page has the origin of the sign-in, so it may run nothing but its own two scripts and talk to nobody else. The
 * script sets styles of its own, which a policy could only name one by one.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** The script in each encoding. */
const FILES: Record<Encoding, string> = { br: 'script.js.br', gzip: 'script.js.gz' }

type Script = { folder: string; name: string }

function pageOf(script: { name: string }, start: { name: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${TITLE}</title>
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The same document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/${start.name}"></script>
<script src="/docs/${script.name}"></script>
</body>
</html>
`
}

/**
 * Serves the page at /docs. It brings megabytes of script that few processes ever serve, so its files are written for
 * the first reader, and sent from there piece by piece as the client takes them.
 */
export function addReferencePage(app: FastifyInstance, scopes: readonly string[]): void {
  app.decorate('referenceClientId', undefined)
  const startOf = () => startScript(app.referenceClientId, scopes)
  let preparing: Promise<Script> | undefined
  const prepared = () => {
    preparing ??= prepareScript()
    // A failure, such as a full disk, may be over when the next reader comes.
    preparing.catch(() => {
      preparing = undefined
    })
    return preparing
  }
  const options = { config: { public: true }, schema: { hide: true } } as const
  for (const url of ['/docs', '/docs/'])
    app.get(url, options, async (_request, reply) =>
      reply.headers(PAGE_HEADERS).send(pageOf(await prepared(), startOf())),
    )

  app.get('/docs/*', options, async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const { '*': name } = request.params
    const start = startOf()
    if (name === start.name) return reply.headers(SCRIPT_HEADERS).send(start.text)
    const script = await prepared()
    return name === script.name ? sendScript(request, reply, script) : reply.callNotFound()
  })

  app.addHook('onClose', async () => {
    const script = await preparing?.catch(() => undefined)
    if (script !== undefined) await rm(script.folder, { recursive: true, force: true })
  })
}

async function sendScript(request: FastifyRequest, reply: FastifyReply, { folder }: Script): Promise<FastifyReply> {
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
  const path = join(folder, encoding === null ? 'script.js' : FILES[encoding])
  const { size } = await stat(path)
  if (encoding !== null) reply.header('content-encoding', encoding)
  return reply
    .headers(SCRIPT_HEADERS)
    .header('vary', 'accept-encoding')
    .header('content-length', size)
    .send(createReadStream(path))
}

/** The folder belongs to this process, and only its account can enter it. */
async function prepareScript(): Promise<Script> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-docs-'))
  try {
    const worker = new Worker(new URL('./reference-script.ts', import.meta.url), { workerData: { folder } })
    await once(worker, 'message')
    const digest = hash('sha256', await readFile(join(folder, 'script.js')))
    return { folder, name: `scalar-${digest.slice(0, 16)}.js` }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
