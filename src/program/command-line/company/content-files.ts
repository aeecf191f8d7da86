import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { machineClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { openFiles } from '#program/boot/files.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { removeFile } from '#rights/content-files/commands.ts'
import { presentFile } from '#rights/content-files/present.ts'
import { listFiles } from '#rights/content-files/queries.ts'
import { ROLES } from '#rights/content-files/rules.ts'
import type { ContentFile } from '#rights/content-files/schema.ts'
import { listFailures } from '#rights/stamping/queries.ts'
import { getCompany } from '../administration.ts'
import { plain, print, type Terminal } from '../program.ts'
import { withProgress } from '../terminal/progress.ts'
import { table } from '../terminal/table.ts'
import { all, change, group, type Options, ofCompany, read } from './terms.ts'

type UploadOptions = Options & { product: string; role?: string; language?: string }
type ListOptions = Options & { product?: string; role?: string }

const FAILURES = 100
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A size as people read it: 1.4 GB. */
function sizeInWords(bytes: number | null): string {
  if (bytes === null) return ''
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const number = bytes / 1000 ** step
  return `${step === 0 ? number : number.toFixed(1)} ${UNITS[step]}`
}

function uploaded({ id, name, content_type, size, status, refusal }: ContentFile): string {
  if (status === 'refused') return `${plain(name)} was refused: ${refusal}`
  return `${plain(name)} is content file ${id}: ${content_type}, ${sizeInWords(size)}.`
}

export function addContentFiles(program: Command, terminal: Terminal): void {
  const files = group(program, 'files', 'Content files: what customers play, read and install.')

  ofCompany(files, 'upload', 'Store a file for a product. Repeat the command to go on after an interruption.')
    .argument('<path>', 'the file')
    .requiredOption('--product <id>', 'product, by its id or product_id')
    .option('--role <role>', `one of ${ROLES.join(', ')}; main_sd if absent`)
    .option('--language <code>', 'language of the file, such as en')
    .action(async (path: string, options: UploadOptions) => {
      if (!existsSync(path)) throw new StartError(`There is no file ${plain(path)}.`, 2)
      const file = await storeFile(terminal, path, options)
      print(terminal, options.json, { file }, uploaded(file))
      if (file.status === 'refused') terminal.exitCode(1)
    })

  ofCompany(files, 'list', 'List the content files of a company.')
    .option('--product <id>', 'of this product only')
    .option('--role <role>', 'of this role only')
    .action(async ({ company, json, product, role }: ListOptions) => {
      const rows = await read(terminal, company, async (db) =>
        all(await listFiles(db, company, { product_id: product, role })),
      )
      const listed = rows.map(presentFile)
      const text = table(listed, 'There are no content files.', {
        File: ({ id }) => id,
        Product: ({ product_id }) => product_id,
        Name: ({ name }) => name,
        Role: ({ role }) => role,
        Language: ({ language }) => language,
        Type: ({ content_type }) => content_type ?? '',
        Size: ({ size }) => sizeInWords(size),
        Status: ({ status, refusal }) => refusal ?? status,
      })
      print(terminal, json, { files: listed }, text)
    })

  ofCompany(files, 'failures', 'List the PDFs and EPUBs of which no copy could be made for a buyer.').action(
    async ({ company, json }: Options) => {
      const failures = await read(terminal, company, (db) => listFailures(db, company, FAILURES))
      const shown = failures.map(({ file_id, entitlement_id, name, reason }) => ({
        file_id,
        entitlement_id,
        name,
        reason,
      }))
      const text = table(shown, 'Every copy could be made.', {
        File: ({ file_id }) => file_id,
        Entitlement: ({ entitlement_id }) => entitlement_id,
        Name: ({ name }) => plain(name),
        Reason: ({ reason }) => reason ?? '',
      })
      print(terminal, json, { failures: shown }, text)
    },
  )

  ofCompany(files, 'remove', 'Remove a content file. Customers who bought it keep it.')
    .argument('<id>', 'id of the content file')
    .action(async (id: string, { company, json }: Options) => {
      await change(terminal, company, (tx, author, now) => removeFile(tx, author, id, now))
      print(terminal, json, { removed: true }, 'The content file is removed.')
    })
}

function storeFile(
  terminal: Terminal,
  path: string,
  { company, json, product, role, language }: UploadOptions,
): Promise<ContentFile> {
  const config = terminal.config()
  return withDatabase(config, async (db) => {
    await getCompany(db, company)
    const input = {
      product_id: product,
      ...(role === undefined ? {} : { role }),
      ...(language === undefined ? {} : { language }),
    }
    const { uploadFromDisk } = await import('#rights/content-files/uploads/from-disk.files.ts')
    const time = await readCompanyTime(db, company)
    const state = await withProgress(terminal, { what: 'bytes', json }, (onProgress) =>
      uploadFromDisk(
        {
          db,
          change: (work) => inTransaction(db, work),
          files: openFiles(config),
          folder: config.transfers.uploadFolder,
          bytesMax: config.transfers.uploadBytesMax,
          now: () => time,
          clock: machineClock,
          author: { companyId: company, origin: COMMAND_LINE },
          onProgress,
        },
        path,
        input,
      ),
    )
    return presentFile(state)
  })
}
