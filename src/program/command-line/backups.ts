import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { createKeys } from '#program/backup-targets/sealing.files.ts'
import type { BackupSummary } from '#program/boot/backup.ts'
import { writeBackupTo } from '#program/boot/scheduled.ts'
import { StartError } from '#program/boot/start-error.ts'
import { drill, restoreFrom } from '#program/boot/stored-restore.ts'
import { command, print, type Terminal } from './program.ts'
import { withProgress } from './terminal/progress.ts'

type Options = { json?: boolean }
type BackupOptions = Options & { secret: boolean; plain?: boolean }
type RestoreOptions = Options & { key?: string; erased?: string[] }

export function addBackups(program: Command, terminal: Terminal): void {
  command(
    program,
    'backup',
    'Write a backup of database, files and secret to a new folder or to a bucket, also while the service runs.',
  )
    .argument(
      '[place]',
      'a folder that does not exist yet, or s3://bucket/prefix/name; licet-backup-… with the time if absent',
    )
    .option('--no-secret', 'leave the secret of the installation out, to keep it in another place')
    .option('--plain', 'do not encrypt it, in spite of LICET_BACKUP_RECIPIENT')
    .action(async (place: string | undefined, options: BackupOptions) => {
      const config = terminal.config()
      const target = place ?? `licet-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
      const recipient = options.plain === true ? undefined : config.backupAccess.recipient
      const access = { ...config.backupAccess, recipient }
      const written = await withProgress(terminal, { what: 'tables', json: options.json }, (onProgress) =>
        writeBackupTo({ ...config, backupAccess: access }, target, { withSecret: options.secret, onProgress }),
      )
      const { s3 } = config
      const sealed = recipient === undefined ? '' : `It is encrypted for ${recipient}. `
      const text = `${contentOf(written)} in ${written.folder}.\n${sealed}${secretOf(written)}${bucketOf(s3)}`
      print(terminal, options.json, { ...written, ...(s3 === undefined ? {} : { without_bucket: s3.bucket }) }, text)
    })

  command(program, 'restore', 'Fill an empty installation from a backup.')
    .argument('<place>', 'the folder that licet backup wrote, or s3://bucket/prefix/name')
    .option('--key <file>', 'the private key of a backup that is encrypted')
    .option(
      '--erased <file>',
      'a list of erased customers that is neither beside the backup nor in LICET_DATA; can be named several times',
      (file: string, files: string[] = []) => [...files, file],
    )
    .action(async (place: string, options: RestoreOptions) => {
      const restored = await withProgress(terminal, { what: 'tables', json: options.json }, (onProgress) =>
        restoreFrom(terminal.config(), place, { onProgress, key: options.key, erased: options.erased }),
      )
      const { erased_again: count } = restored
      const again = `Erased again: ${count} ${count === 1 ? 'customer' : 'customers'} whom companies had erased since.`
      const text = `Restored ${contentOf(restored)}.\n${again}\nStart the service with npm start.`
      print(terminal, options.json, restored, text)
    })

  command(program, 'drill', 'Prove a backup: restore it into a database and a folder of its own, and compare.')
    .argument(
      '<place>',
      'the folder that licet backup wrote, or s3://bucket/prefix/name; of a place with several, the latest',
    )
    .option('--key <file>', 'the private key of a backup that is encrypted')
    .action(async (place: string, options: Options & { key?: string }) => {
      const proved = await withProgress(terminal, { what: 'tables', json: options.json }, (onProgress) =>
        drill(terminal.config(), place, { onProgress, key: options.key }),
      )
      const text = `${proved.backup} can be restored: ${contentOf(proved)}, in ${proved.seconds} s.\nAll ${proved.compared_rows} rows of ${proved.compared_tables} tables are as in the backup. What was restored for this is removed again.`
      print(terminal, options.json, proved, text)
    })

  command(program, 'backup-key', 'Make the keys with which backups are encrypted and opened.')
    .argument('<file>', 'a new file for the private key, to be kept away from this machine')
    .action(async (file: string, options: Options) => {
      const { identity, recipient } = await createKeys()
      await writeKey(file, `# public key: ${recipient}\n${identity}\n`)
      const text = `The private key is in ${file}: move it to a safe place. Without it, no backup can be opened.\nSet LICET_BACKUP_RECIPIENT=${recipient}`
      print(terminal, options.json, { file, recipient }, text)
    })
}

/** Never writes over a key that is there: backups could not be opened any more. */
async function writeKey(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new StartError(`The key cannot be written to ${file} (${error instanceof Error ? error.message : error}).`)
  }
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
