import type { Assortment } from '#catalog/products/sale/assortment.queries.ts'
import type { ShopTextName } from '#catalog/theme-settings/state.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import type { Missing, StepKey } from './schema.ts'

type ProofRecord = { type: 'TXT'; name: string; value: string }

/** Everything that decides whether a company is ready to sell. */
export type SetUp = {
  company: Pick<Correspondent, 'company_name' | 'street' | 'zip' | 'city' | 'country_code'>
  vatId: string
  /** The ways to pay that the shops offer. */
  offers: readonly { is_test: boolean }[]
  assortment: Assortment
  /** The first shop with the texts that it has; undefined if none is enabled. */
  shop: { id: number; written: readonly ShopTextName[] } | undefined
  /** Is there a mail server? */
  sendsMails: boolean
  domains: readonly { host: string; proved_at: Date | null; record: ProofRecord }[]
  shippingMethods: number
  hasPaidOrder: boolean
}

/** A step on the way to the first sale. */
export type Step = {
  key: StepKey
  missing: Missing[]
  subject?: string
  subjectId?: number
  record?: ProofRecord
}
