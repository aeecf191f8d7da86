import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { checkAdmin } from './check-admin.ts'
import { checkAudit } from './check-audit.ts'
import { checkClient } from './check-client.ts'
import { checkClockOfProject } from './check-clock.ts'
import { checkDeployment } from './check-deployment.ts'
import { checkFileLengths, checkLinks } from './check-files.ts'
import { checkImportsOfProject } from './check-imports.ts'
import { checkLicenses } from './check-licenses.ts'
import { checkMigrationsOfProject, type Report } from './check-migrations.ts'
import { checkMonitoring } from './check-monitoring.ts'
import { checkOpenapi } from './check-openapi.ts'
import { checkPlatformOfProject } from './check-platform.ts'
import { checkRegexesOfProject } from './check-regexes.ts'
import { checkRowsOfProject } from './check-rows.ts'
import { checkSecurityOfProject } from './check-security.ts'
import { checkSpreadsOfProject } from './check-spreads.ts'
import { checkTablesOfProject } from './check-tables.ts'
import { checkTenantOfProject } from './check-tenant.ts'
import { checkWordsOfProject } from './check-words.ts'
import { checkGenerated } from './generate.ts'
import { ROOT } from './source.ts'

const BIN = join(ROOT, 'node_modules/.bin')

type Check = { name: string; run: () => Promise<string[] | Report> }

/** Runs a tool of the project; if it fails, its output is the complaint. */
function tool(name: string, ...args: string[]): () => Promise<string[]> {
  const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}`, NO_COLOR: '1' }
  return () =>
    new Promise((resolve) => {
      const options = { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 }
      execFile(join(BIN, name), args, options, (error, stdout, stderr) =>
        resolve(error === null ? [] : [`${stdout}${stderr}`.trim() || error.message]),
      )
    })
}

const CHECKS: Check[] = [
  { name: 'format and lint', run: tool('biome', 'ci', '--colors=off', '--error-on-warnings') },
  { name: 'types', run: tool('tsc', '--noEmit', '--pretty', 'false') },
  { name: 'types of the client', run: tool('tsc', '--project', 'client', '--noEmit', '--pretty', 'false') },
  { name: 'size of the client', run: checkClient },
  { name: 'types of the admin interface', run: tool('tsc', '--project', 'admin', '--noEmit', '--pretty', 'false') },
  { name: 'size of the admin interface', run: checkAdmin },
  { name: 'imports', run: checkImportsOfProject },
  { name: 'clock', run: checkClockOfProject },
  { name: 'platform', run: checkPlatformOfProject },
  { name: 'regular expressions', run: checkRegexesOfProject },
  { name: 'tables', run: checkTablesOfProject },
  { name: 'tenant', run: checkTenantOfProject },
  { name: 'types of rows', run: checkRowsOfProject },
  { name: 'words', run: checkWordsOfProject },
  { name: 'spreads', run: checkSpreadsOfProject },
  { name: 'generated files', run: checkGenerated },
  { name: 'OpenAPI', run: checkOpenapi },
  { name: 'migrations', run: checkMigrationsOfProject },
  { name: 'deployment files', run: checkDeployment },
  { name: 'monitoring files', run: checkMonitoring },
  { name: 'licenses', run: checkLicenses },
  { name: 'audit of packages', run: checkAudit },
  { name: 'links', run: checkLinks },
  { name: 'security', run: checkSecurityOfProject },
  { name: 'file length', run: checkFileLengths },
]

/** A check that throws has failed. */
async function passes({ name, run }: Check): Promise<boolean> {
  const start = performance.now()
  const result = await run().catch((error: Error) => [error.stack ?? error.message])
  const { mistakes: complaints, note } = Array.isArray(result) ? { mistakes: result, note: '' } : result
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${complaints.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${note === '' ? '' : `: ${note}`}`)
  for (const line of complaints.flatMap((complaint) => complaint.split('\n'))) console.log(`     ${line}`)
  return complaints.length === 0
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((word) => !CHECKS.some(({ name }) => name.includes(word)))
if (unknown.length > 0) throw new Error(`No check is called ${unknown.join(', ')}.`)
const chosen = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
const results = await Promise.all(chosen.map(passes))
const failed = results.filter((passed) => !passed).length
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${results.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1
