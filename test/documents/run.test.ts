import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EXAMPLES } from '#program/command-line/examples.ts'
import { onPath } from '../chromium.ts'
import { databaseOf, type Serving, serve, temporaryFolder, until } from '../start/program.ts'
import {
  blocksIn,
  commandsOf,
  inlineCommandsIn,
  licetPathOf,
  linesOf,
  ROOT,
  readDocuments,
  tabledCommandsIn,
} from './commands.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { openShell } from './newcomer.ts'

const DOCUMENTS = readDocuments()
const isElsewhere = (command: string) => ELSEWHERE.some((each) => each.command.test(command))
/** Variables of the shell or of the service, without a command in them. */
const isSetting = (line: string) => /^(export )?[A-Z_]+=[^$]*$/.test(line)
/** The README shows what an error looks like. */
const isRefused = (script: string) => script.includes('"title": "No type"')

/** Files that the documents tell the reader to have. */
async function makeFiles(folder: string): Promise<void> {
  const blockOf = (path: string, language: string) =>
    blocksIn(DOCUMENTS.find((document) => document.path === path)?.text ?? '', language)[0] ?? ''
  const files = {
    'film.json': blockOf('docs/guides/sell-a-film.md', 'json'),
    'catalogue.csv': blockOf('docs/guides/import-a-catalogue.md', 'csv'),
    'products.csv': 'title;product_type\nThe Sea;video\n',
    'key.txt': 'sk_test_51H0Example0Example0\n',
    'webhook.txt': 'whsec_0Example0Example0\n',
    'mollie.txt': 'test_0Example0Example0Example0Example\n',
    'keys.txt': 'AAAA-1111\nBBBB-2222\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await copyFile(join(ROOT, 'src/program/demo/media/film-sd.mp4'), join(folder, 'film.mp4'))
  // The service looks at the picture itself, whatever its name says.
  await copyFile(join(ROOT, 'src/program/demo/covers/fyr.webp'), join(folder, 'cover.png'))
  await mkdir(join(folder, 'var/backups/licet'), { recursive: true })
}

/** What a reader puts in place of words of the documents and of the examples. */
function placesOf(service: Serving, client: pg.Client, folder: string): Record<string, () => string | Promise<string>> {
  const one = async (query: string) => String(Object.values((await client.query(query)).rows[0] ?? {})[0])
  return {
    'http://127.0.0.1:3000': () => service.url,
    '/var/backups': () => join(folder, 'var/backups'),
    '/mnt/backups': () => join(folder, 'var/backups'),
    PKGWBLOVVQJXVALS: () => one(`select token from customers where email = 'jane@example.com'`),
    '"ADDRESS"': () => addressOf(service),
    ' TOKEN ': async () => ` ${await one('select token from customers limit 1')} `,
    CLIENT_ID: () => one('select client_id from apps order by created_at desc limit 1'),
    // Only examples for keys are left with it: uploads are in a guide. Keys belong to software.
    '0001-26ED-EA4F-AA32': () => one('select id from products where product_type in (4, 18, 27) order by id limit 1'),
    'B0000-0001': () => '1 --license 1',
    '--price 1000': async () => `--price ${await one('select id from prices where company_id = 1000 limit 1')}`,
    'shipping end 1000': async () => `shipping end ${await one('select id from shipping_methods limit 1')}`,
    // A clock is moved by two years at most.
    '2031-06-01T09:30:00': () => new Date(Date.now() + 90 * 86_400_000).toISOString(),
    '--company 1001': async () => `--company ${await one('select company_id from test_clocks limit 1')}`,
    'explain 1004': () => 'explain 1',
    'files remove 1004': () => 'files remove 1000',
    'K7QM-2XWB-PD9R-HJ4T': () => one('select code from redemption_codes limit 1'),
  }
}

/** The address of the download of the README. The demo shop gets its files a moment after its start. */
async function addressOf({ url, token }: Serving): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let address: string | undefined
  await until('the song can be downloaded', async () => {
    const options = { method: 'POST', headers, body: '{"download": {}}' }
    const answer = await fetch(`${url}/api/entitlements/2/download.json`, options)
    address = ((await answer.json()) as { download?: { url: string } }).download?.url
    if (address === undefined) await sleep(500)
    return address !== undefined
  })
  return `"${address}"`
}

type Named = { where: string; command: string }

/** Every command that a document names: in a block, in a sentence or in a table. */
function namedCommands(): Named[] {
  return DOCUMENTS.flatMap(({ path, text }) => {
    const commands = [
      ...blocksIn(text, 'sh').flatMap((block) =>
        linesOf(block)
          .filter((line) => !isSetting(line))
          .flatMap(commandsOf),
      ),
      ...inlineCommandsIn(text).filter((command) => !command.includes('<command>')),
      ...(path === 'docs/command-line.md' ? tabledCommandsIn(text) : []),
    ]
    return commands.map((command) => ({ where: path, command }))
  })
}

/** The commands that no test runs, given the commands of licet that succeeded and the scripts that were run. */
function notRun(named: Named[], licet: string[], scripts: string[]): string[] {
  const isRun = (command: string) => {
    const path = licetPathOf(command)
    if (isElsewhere(command)) return true
    if (path === undefined) return scripts.some((script) => commandsOf(script).includes(command))
    return licet.some((each) => each === path || each.startsWith(`${path} `) || path.startsWith(`${each} `))
  }
  return named.filter(({ command }) => !isRun(command)).map(({ where, command }) => `${where}: ${command}`)
}

describe('commands that documents name', () => {
  const missing = ['bash', 'curl', 'jq'].filter((program) => onPath(program, process.env) === undefined)
  const skip = missing.length > 0 && `this machine has no ${missing.join(' and no ')}`

  test('are run, each by this test or by another', { skip }, async (context) => {
    const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
    await makeFiles(folder)
    const service = await serve({ LICET_DATA: data })
    const settings = { LICET_DATA: data, PORT: new URL(service.url).port, LICET_CURRENCY_RATES_URL: '' }
    const shell = await openShell(folder, settings)
    const client = await databaseOf(data)
    context.after(async () => {
      shell.close()
      await client.end()
    })
    const places = Object.entries(placesOf(service, client, folder))
    const scripts: string[] = []
    const failures: string[] = []
    const run = async (where: string, script: string) => {
      let filled = script
      for (const [word, place] of places) if (filled.includes(word)) filled = filled.replaceAll(word, await place())
      const { code, out } = await shell.run(filled, { LICET: service.url, TOKEN: service.token })
      if (code === (isRefused(script) ? 22 : 0)) scripts.push(script)
      else failures.push(`${where}:\n${filled}\n${out}`)
    }

    for (const { path, text } of DOCUMENTS)
      for (const block of blocksIn(text, 'sh')) {
        const lines = linesOf(block).filter((line) => !commandsOf(line).every(isElsewhere) && !isSetting(line))
        if (lines.length > 0) await run(path, lines.join('\n'))
      }
    const succeeded = () => shell.succeeded.map((args) => licetPathOf(`licet ${args.join(' ')}`) ?? '')
    const isRun = (path: string) => succeeded().some((each) => `${each} `.startsWith(`${path} `))
    for (const [path, example] of Object.entries(EXAMPLES))
      if (!isElsewhere(example) && !isRun(path)) await run(`${path} --help`, example)

    assert.deepEqual(failures, [])
    assert.deepEqual(notRun(namedCommands(), succeeded(), scripts), [])
    assert.ok(scripts.length > 60 && shell.succeeded.length > 70, 'it ran them')
  })

  test('are run by the files that the table names', () => {
    const commands = [...namedCommands().map(({ command }) => command), ...Object.values(EXAMPLES)]
    for (const entry of ELSEWHERE) {
      assert.ok(
        commands.some((command) => entry.command.test(command)),
        `nothing names ${entry.command} any more`,
      )
      if ('never' in entry) continue
      assert.ok(existsSync(join(ROOT, entry.by)), `${entry.by} does not exist`)
      assert.ok(
        readFileSync(join(ROOT, entry.by), 'utf8').includes(entry.proof),
        `${entry.by} runs no ${entry.command}`,
      )
    }
  })

  test('are found, and those that no test runs are told', () => {
    const named = namedCommands()
    assert.ok(named.length > 250, `it found only ${named.length}`)
    const wanted = ['npm ci', 'npx licet doctor', 'npm run bench', 'licet tax-rate list --company ID', 'licet audit']
    for (const command of wanted)
      assert.ok(
        named.some((each) => each.command === command),
        command,
      )
    const unknown = [
      'npm run nothing',
      'npx licet nothing --now',
      'licet webhooks nothing 1',
      'curl "$LICET/api/nothing.json"',
    ]
    assert.deepEqual(
      notRun(
        [...unknown, 'licet webhooks list'].map((command) => ({ where: 'x', command })),
        ['licet webhooks list'],
        ['ls'],
      ),
      unknown.map((command) => `x: ${command}`),
    )
  })
})

describe('a script', () => {
  test('is split into lines and commands', () => {
    const script = `a 'x; y' && b "p | q" # why\nc \\\n  -d '{\n}' | d\nE=$(f | g; h)\n`
    assert.deepEqual(linesOf(script), [`a 'x; y' && b "p | q"`, `c    -d '{\n}' | d`, 'E=$(f | g; h)'])
    assert.deepEqual(commandsOf(script), [`a 'x; y'`, 'b "p | q"', `c -d '{ }'`, 'd', 'E=$(f | g; h)'])
  })
})
