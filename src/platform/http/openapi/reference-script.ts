import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompress, constants, gzip } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/**
 * Runs in a thread of its own, which ends with the megabytes that it had to load: writes the script of the reference
 * page into a folder, once as it is and once for each encoding that browsers accept.
 */
const BROTLI_QUALITY = 9
/** Where the package serves its script. */
const SCRIPT = '/js/scalar.js'

async function writeScript(folder: string): Promise<void> {
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/' } })
  const { rawPayload: script } = await app.inject(SCRIPT)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(script, quality), promisify(gzip)(script)])
  await Promise.all([
    writeFile(join(folder, 'script.js'), script),
    writeFile(join(folder, 'script.js.br'), br),
    writeFile(join(folder, 'script.js.gz'), gz),
  ])
}

await writeScript(workerData.folder)
parentPort?.postMessage('written')
