import type { Command } from 'commander'
import { rotateKeys } from '#identity/signing-keys/commands.ts'
import { listSigningKeys } from '#identity/signing-keys/queries.ts'
import type { PlacedKey } from '#identity/signing-keys/state.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import { inTransaction } from '#platform/db/transaction.ts'
import { withDatabase } from '#program/boot/store.ts'
import { command, localTime, print, type Terminal } from '../program.ts'
import { table } from '../terminal/table.ts'
import { group } from './terms.ts'

type Options = { json?: boolean }

export function addSigningKeys(program: Command, terminal: Terminal): void {
  const keys = group(program, 'signing-keys', 'The keys that sign license files.')

  command(keys, 'list', 'List the keys, oldest first.').action(async ({ json }: Options) => {
    const now = nowInSeconds(machineClock)
    const listed = await withDatabase(terminal.config(), (db) => listSigningKeys(db, now))
    const text = table(listed, 'There is no key yet: the service creates the first one when it needs it.', {
      Key: ({ kid }) => kid,
      State: ({ state }) => state,
      'Signs from': ({ signs_from }) => localTime(signs_from),
      'Published until': publishedUntil,
    })
    print(terminal, json, { signing_keys: listed.map(inJson) }, text)
  })

  command(keys, 'rotate', 'Create the next key. The one before stays published while its files are valid.').action(
    async ({ json }: Options) => {
      const now = nowInSeconds(machineClock)
      const { key, isNew } = await withDatabase(terminal.config(), (db, vault) =>
        inTransaction(db, (tx) => rotateKeys(tx, vault, now)),
      )
      const { kid, signs_from } = key
      const start = isNew ? `Created the key ${kid}.` : `The key ${kid} is waiting already.`
      print(terminal, json, { kid, signs_from, created: isNew }, `${start} It signs from ${localTime(signs_from)}.`)
    },
  )
}

function publishedUntil({ state, publishedUntil: end, signed_for_good }: PlacedKey): string {
  if (end !== null) return localTime(end)
  return state === 'retired' && signed_for_good ? 'for good' : ''
}

function inJson({ kid, state, created_at, signs_from, publishedUntil: published_until, signed_for_good }: PlacedKey) {
  return { kid, state, created_at, signs_from, published_until, signed_for_good }
}
