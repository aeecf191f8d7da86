import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../api.ts'
import { sessionQuery } from '../session/session.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { matching, withEtag } from '../with-etag.ts'

export type User = Schemas['User']
export type Company = Schemas['Company']
export type InvoiceSettings = Schemas['InvoiceSettings']
export type OwnSession = Schemas['OwnSession']
export type ProfileChange = { first_name?: string; last_name?: string; language?: string; time_zone?: number }

export const profileQuery = queryOptions({
  queryKey: ['own user'],
  queryFn: ({ signal }) =>
    withEtag(
      'user',
      async (onHeaders) => (await api.request('GET', '/admin/api/user.json', { signal, onHeaders })).user,
    ),
})

export function useSaveProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, etag }: Change<ProfileChange>) =>
      api.request('PUT', '/admin/api/user.json', { body: { user: changes }, ...matching(etag) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: profileQuery.queryKey })
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (password: { current_password: string; password: string }) =>
      api.request('PUT', '/admin/api/password.json', { body: { password } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export const secondFactorQuery = queryOptions({
  queryKey: ['second factor'],
  queryFn: async ({ signal }) => (await api.request('GET', '/admin/api/second_factor.json', { signal })).second_factor,
})

const withPassword = (current_password: string) => ({ body: { second_factor: { current_password } } })

export function usePrepareSecondFactor() {
  return useMutation({
    mutationFn: async (password: string) =>
      (await api.request('POST', '/admin/api/second_factor.json', withPassword(password))).second_factor,
  })
}

export function useConfirmSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (code: string) =>
      (await api.request('POST', '/admin/api/second_factor/turn_on.json', { body: { second_factor: { code } } }))
        .recovery_codes,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
      // The company may have waited for it.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

export function useRenewCodes() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (password: string) =>
      (await api.request('POST', '/admin/api/second_factor/recovery_codes.json', withPassword(password)))
        .recovery_codes,
    onSuccess: () => client.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
}

export function useTurnOffSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (password: string) =>
      api.request('POST', '/admin/api/second_factor/turn_off.json', withPassword(password)),
    onSuccess: () => client.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api.request('GET', '/admin/api/sessions.json', { signal })).sessions,
})

/** Ends the other sessions of the user, or this one, too. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (including_this: boolean) =>
      api.request('DELETE', '/admin/api/sessions.json', { query: { including_this } }),
    onSuccess: (_done, isThis) =>
      isThis
        ? location.assign('/sign-in?told=everywhere')
        : client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

const COMPANY = '/admin/api/company.json'
const INVOICES = '/admin/api/invoice_settings.json'

export const companyQuery = queryOptions({
  queryKey: ['own company'],
  queryFn: ({ signal }) =>
    withEtag('company', async (onHeaders) => (await api.request('GET', COMPANY, { signal, onHeaders })).company),
})

export type CompanyChange = Partial<
  Pick<
    Company,
    | 'company_name'
    | 'company_additional_name'
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'phone'
    | 'street'
    | 'zip'
    | 'city'
    | 'province'
    | 'language'
    | 'country'
    | 'inventory_management_active'
    | 'warn_at_stock_level_below'
    | 'stop_selling_at_stock_level_below'
  >
> & { tax_options?: 0 | 1 | 2 }

export const invoicesQuery = queryOptions({
  queryKey: ['invoice settings'],
  queryFn: ({ signal }) =>
    withEtag(
      'invoices',
      async (onHeaders) => (await api.request('GET', INVOICES, { signal, onHeaders })).invoice_settings,
    ),
})

/** The company with its VAT ID, which belongs to the settings of invoices, and the versions of both. */
export type CompanyData = { company: Company; invoices: InvoiceSettings; etag: string }
export type CompanyDataChange = { company?: CompanyChange; invoices?: Partial<InvoiceSettings> }

export const bothEtags = (company: string, invoices: string) => `${company} ${invoices}`

export function useSaveCompany() {
  const client = useQueryClient()
  /** The version that was replaced before the VAT ID was refused: the next try follows on itself, not on somebody else. */
  const replaced = useRef<string>(undefined)
  return useMutation({
    mutationFn: async ({ changes: { company, invoices }, etag }: Change<CompanyDataChange>) => {
      const [companyEtag, invoicesEtag] = etag?.split(' ') ?? []
      if (company !== undefined) {
        const read = companyEtag === replaced.current ? undefined : companyEtag
        await api.request('PUT', COMPANY, { body: { company }, ...matching(read) })
        replaced.current = companyEtag
      }
      if (invoices !== undefined)
        await api.request('PUT', INVOICES, { body: { invoice_settings: invoices }, ...matching(invoicesEtag) })
    },
    onSuccess: async () => {
      await Promise.all([companyQuery, invoicesQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })))
      for (const key of [sessionQuery.queryKey, ['readiness']]) await client.invalidateQueries({ queryKey: key })
    },
  })
}
