import type { Service, Shop } from './harness.ts'

type Copied = {
  file_id: number
  /** Each purchase has a copy of its own. */
  entitlement_id?: number
  reason?: string
}

/** A copy of a file for a buyer that could not be made. */
export async function aFailedCopy(service: Service, { companyId }: Shop, copied: Copied): Promise<void> {
  const now = service.clock.now()
  await service.db
    .insertInto('stamped_files')
    .values({
      company_id: companyId,
      entitlement_id: 1,
      name: 'walden.pdf',
      source_key: 'content/1/1',
      stamp: '{}',
      state: 'failed',
      reason: 'The PDF is damaged or incomplete.',
      ...copied,
      created_at: now,
      updated_at: now,
      used_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
