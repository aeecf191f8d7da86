import type { Command } from 'commander'
import { NewerSchemaError } from '#platform/db/migrations/migrate.ts'
import type { Config } from '#platform/settings/config.ts'
import { renewSecret, rotateSecret } from '#program/boot/secret.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openStore, type Store, upgrade } from '#program/boot/store.ts'
import { command, print, type Terminal } from './program.ts'

const RENEWED =
  'The secret of this machine is the right one from now on. Give it to the others, and restart every process. Users with a second factor need a recovery code to sign in, and set it up again; the secrets of apps have to be rotated.'

const ROTATED =
  'Everything is sealed with the secret of this machine now. Give it to the others, start every process again, and delete the old one. Links in mails that were sent before no longer open: gifts, invoices, carts.'

const LOST = (count: number) => ` Values that had been lost before and stay so: ${count}.`

const UNCHANGED = 'The secret is the right one already.'

export function addSecrets(program: Command, terminal: Terminal): void {
  const secret = program
    .command('secret')
    .description('Renew the secret of the installation.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })

  command(
    secret,
    'renew',
    'Continue with the secret of this machine after the one that the database knows was lost, or with --from in its place.',
  )
    .option('--from <file>', 'the file with the secret until now: what is sealed with it is sealed again')
    .action(async (options: { json?: boolean; from?: string }) => {
      const config = terminal.config()
      // Opened without the vault, which no longer opens.
      const store = await openStore(config)
      try {
        await upgrade(store.db).catch((error) => {
          throw error instanceof NewerSchemaError ? new StartError(error.message) : error
        })
        if (options.from === undefined) {
          const renewed = await renewSecret(config, store.db)
          return print(terminal, options.json, { renewed }, renewed ? RENEWED : UNCHANGED)
        }
        const rotation = await rotate(config, store, options.from)
        const { renewed, lost } = rotation
        print(terminal, options.json, rotation, renewed ? `${ROTATED}${lost > 0 ? LOST(lost) : ''}` : UNCHANGED)
      } finally {
        await closeStore(store)
      }
    })
}

/** The resources are loaded only for this, because they are most of the program. */
async function rotate(config: Config, { db }: Store, from: string) {
  const { RESOURCES } = await import('../../resources.ts')
  return rotateSecret(
    config,
    db,
    from,
    RESOURCES.flatMap(({ sealed }) => sealed ?? []),
  )
}
