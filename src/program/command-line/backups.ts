import type { Command } from 'commander'
import { type BackupSummary, restoreBackup, writeBackup } from '#program/boot/backup.ts'
import { command, print, type Terminal } from './program.ts'
import { withProgress } from './terminal/progress.ts'

type Options = { json?: boolean }
type BackupOptions = Options & { secret: boolean }

export function addBackups(program: Command, terminal: Terminal): void {
  command(
    program,
    'backup',
    'Write a backup of database, files and secret to a new folder, also while the service runs.',
  )
    .argument('[folder]', 'a folder that does not exist yet; licet-backup-… with the time if absent')
    .option('--no-secret', 'leave the secret of the installation out, to keep it in another place')
    .action(async (folder: string | undefined, options: BackupOptions) => {
      const target = folder ?? `licet-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
      const written = await withProgress(terminal, { what: 'tables', json: options.json }, (onProgress) =>
        writeBackup(terminal.config(), target, { withSecret: options.secret, onProgress }),
      )
      const { s3 } = terminal.config()
      const text = `${contentOf(written)} in ${written.folder}.\n${secretOf(written)}${bucketOf(s3)}`
      print(terminal, options.json, { ...written, ...(s3 === undefined ? {} : { without_bucket: s3.bucket }) }, text)
    })

  command(program, 'restore', 'Fill an empty installation from a backup.')
    .argument('<folder>', 'the folder that licet backup wrote')
    .action(async (folder: string, options: Options) => {
      const restored = await withProgress(terminal, { what: 'tables', json: options.json }, (onProgress) =>
        restoreBackup(terminal.config(), folder, onProgress),
      )
      print(terminal, options.json, restored, `Restored ${contentOf(restored)}. Start the service with npm start.`)
    })
}

const contentOf = ({ tables, rows, files }: BackupSummary) =>
  `${rows} rows of ${tables} tables and ${files} ${files === 1 ? 'file' : 'files'}`

const bucketOf = (s3: { bucket: string } | undefined) =>
  s3 === undefined
    ? ''
    : `\nIt does not contain the bucket ${s3.bucket}, where content files and pictures are: back it up with its own tools.`

const secretOf = ({ has_secret }: BackupSummary) =>
  has_secret
    ? 'It contains the secret of the installation: keep it as safe as the service itself.'
    : 'It does not contain the secret of the installation: keep that in another place.'
