import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { getSeller } from '#identity/companies/queries.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { CSV_KINDS, type CsvKind } from '#program/imports/csv/kinds.facts.ts'
import type { Source } from '#program/imports/importer/entries.ts'
import type { Report } from '#program/imports/importer/run.ts'
import { EntryFailed, UnreadableFile, type UnreadableReason } from '#program/imports/importer/unreadable.ts'
import { companyId, getCompany } from './administration.ts'
import { command, print, type Terminal } from './program.ts'
import { withProgress } from './terminal/progress.ts'

type Options = {
  company: number
  as?: CsvKind
  encoding: string
  dryRun?: boolean
  json?: boolean
}

export function addImport(program: Command, terminal: Terminal): void {
  command(program, 'import', 'Import a CSV or JSON file, all of it or nothing. A second import changes what is there.')
    .requiredOption('--company <id>', 'company to import into', companyId)
    .option('--dry-run', 'check everything, say what would happen, and change nothing')
    .addOption(new Option('--as <kind>', 'what a CSV file is about; its columns say it if absent').choices(CSV_KINDS))
    .option('--encoding <name>', 'encoding of a CSV file', encoding, 'utf-8')
    .argument('<file>', 'a CSV file, or a JSON object of lists (docs/import.md)')
    .action(async (file: string, options: Options) => {
      const store = await openMigratedStore(terminal.config())
      try {
        await getCompany(store.db, options.company)
        const source = await openSource(store.db, file, options)
        const report = await importFile(store.db, source, options, terminal)
        await answer(terminal, report, options)
      } catch (error) {
        throw inWords(error, file)
      } finally {
        await closeStore(store)
      }
    })
}

/** What an option of the command can do about a file. */
const REMEDIES: Partial<Record<UnreadableReason, string>> = {
  kind_unknown: ': add --as products, --as customers, --as prices, --as sales, --as redemption_codes',
  not_utf8: ', such as --encoding windows-1252 for Excel',
}

function inWords(error: unknown, file: string): unknown {
  if (error instanceof EntryFailed) return new StartError(error.message)
  if (!(error instanceof UnreadableFile)) return error
  return new StartError(`${error.sentenceFor(file)}${REMEDIES[error.reason] ?? ''}.`, 2)
}

function encoding(text: string): string {
  try {
    return new TextDecoder(text).encoding
  } catch {
    throw new InvalidArgumentError('It must be an encoding such as utf-8 or windows-1252.')
  }
}

async function openSource(db: Db, file: string, { company, as, encoding }: Options): Promise<Source> {
  if ((await startOf(file)) === '{' && as === undefined) {
    const { openJson } = await import('#program/imports/importer/json-source.ts')
    return openJson(await readFile(file, 'utf8'))
  }
  if (/\.json$/i.test(file)) throw new StartError(`${file} must hold a JSON object.`, 2)
  const [{ openCsv }, { findCompany }] = await Promise.all([
    import('#program/imports/csv/source.ts'),
    import('#identity/companies/queries.ts'),
  ])
  const [{ currency }, details] = await Promise.all([getSeller(db, company), findCompany(db, company)])
  return openCsv({ open: () => createReadStream(file), encoding }, as, {
    currency,
    language: details?.language ?? 'en',
  })
}

/** The first character of a file that is no blank: JSON begins with a brace. */
async function startOf(file: string): Promise<string | undefined> {
  const handle = await open(file).catch((error: Error) => {
    throw new StartError(`${file} can't be read: ${error.message}.`, 2)
  })
  try {
    if ((await handle.stat()).isFIFO())
      throw new StartError(
        `${file} is a pipe, and an import reads its file more than once: save it as a file first.`,
        2,
      )
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart()[0]
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${file} can't be read: ${error instanceof Error ? error.message : error}.`, 2)
  } finally {
    await handle.close()
  }
}

/** Where links in mails lead. Newsletter recipients alone are mailed to, so other imports need not know. */
async function mailAddress(source: Source, terminal: Terminal): Promise<string> {
  if (!source.lists.has('news_recipients')) return ''
  const { ownAddress } = await import('./company/users.ts')
  return ownAddress(terminal.config())
}

async function importFile(db: Db, source: Source, options: Options, terminal: Terminal): Promise<Report> {
  const baseUrl = await mailAddress(source, terminal)
  const now = await readCompanyTime(db, options.company)
  const { importSource } = await import('#program/imports/importer/run.ts')
  const total = [...source.lists.values()].reduce((sum, count) => sum + count, 0)
  const [what = 'entries', another] = source.lists.keys()
  const work = { what: another === undefined ? what : 'entries', total, json: options.json }
  return withProgress(terminal, work, (onProgress) =>
    importSource(db, source, {
      companyId: options.company,
      author: { companyId: options.company, origin: COMMAND_LINE },
      isDryRun: options.dryRun === true,
      now,
      baseUrl,
      onProgress,
    }),
  )
}

async function answer(terminal: Terminal, report: Report, { json, dryRun = false }: Options): Promise<void> {
  const { asJson, faultLines, plan, refusedOf, summary, warningLines } = await import('./import-report.ts')
  const refused = refusedOf(report).length
  const { results } = report
  const notes = [...report.notes, ...warningLines(report)]
  if (dryRun) {
    // A file with a mistake would be imported not even in part, so there is nothing to count.
    const outcome =
      refused === 0
        ? summary(report, false)
        : `Nothing would be imported: ${refused} of ${results.length} entries have mistakes.`
    const texts = [plan(report), '', outcome, ...notes, 'This was a dry run: nothing was changed.']
    print(terminal, json, asJson(report, { dryRun }), texts.join('\n'))
  } else if (refused === 0 || json === true)
    print(terminal, json, asJson(report, { dryRun }), [summary(report), ...notes].join('\n'))
  if (refused === 0) return
  terminal.exitCode(2)
  if (dryRun) return
  for (const line of faultLines(report)) terminal.err(line)
  terminal.err(`Nothing was imported: ${refused} of ${results.length} entries have mistakes.`)
}
