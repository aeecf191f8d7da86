// Restarts the service when its sources change, and builds the admin interface again when those of the browser do.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WATCHED = ['--watch-path=src', '--watch-path=locales', '--watch-preserve-output']

const service = spawn(process.execPath, [...WATCHED, 'bin/licet.mjs', 'serve', ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
})
const { build } = await import('vite')
const admin = await build({ root: `${ROOT}admin`, logLevel: 'warn', build: { watch: {}, emptyOutDir: false } })

// Ctrl-C reaches the service as well, which stops in its own time.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal))
service.on('exit', async (code) => {
  await admin.close?.()
  process.exit(code ?? 0)
})
