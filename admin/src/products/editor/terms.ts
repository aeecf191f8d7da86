import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export type LicenseInput = Schemas['LicenseInput']

/** What customers read of a license, in the service's own sentences. The license need not exist yet. */
export function termsQuery(license: LicenseInput | undefined, productType: number, language: string) {
  return queryOptions({
    queryKey: ['license terms', license, productType, language],
    enabled: license !== undefined,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.licenseTerms.create({ license: license ?? {}, product_type: productType, language }, { signal }),
  })
}
