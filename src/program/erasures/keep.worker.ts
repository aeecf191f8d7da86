import { countErasures, readErasures } from '#people/customers/erasures/commands.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { addErasures } from './list.files.ts'

/**
 * Writes whom companies have erased to lists outside of the database, which is asked for a number only until somebody else is erased. A
 * list that cannot be written is tried again the next time.
 */
export function createKeeper({ db, log, erasureLists = [] }: WorkDependencies): () => Promise<void> {
  let written = -1
  return async () => {
    const count = await countErasures(db)
    if (count === written) return
    const erasures = await readErasures(db)
    let isWhole = true
    for (const list of erasureLists)
      await addErasures(list, erasures).catch((error) => {
        isWhole = false
        log.error({ err: error, list: list.name }, 'the list of erasures could not be written')
      })
    if (isWhole) written = count
  }
}
