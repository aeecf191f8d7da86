import type { Hosts } from '#catalog/theme-settings/domains.rules.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import type { Place, Places } from '../login/rules.ts'

/** The name of the shop's address below the service's own host. */
export const OWN_ADDRESS = 'own'

/**
 * The address of the shop that is asked for the session: the one from which the visitor comes, if the shop still has it, else
 * the one to which links in mails lead.
 */
export function giverOf(places: Places, hosts: Partial<Hosts>, from: string, baseUrl: string): Place {
  if (from === OWN_ADDRESS) return places.own
  const kinds = ['shop_domain', 'vanity_domain', 'sub_domain'] as const
  const host = hosts[kinds.find((kind) => kind === from) ?? 'shop_domain']
  const name = host === undefined || host.includes('.') ? host : `${host}.${ownHost(baseUrl)}`
  return places.hosts.find(({ origin }) => new URL(origin).hostname === name) ?? places.home
}

/** The hash that the browser's value has to have; undefined for any other text. */
export function readState(text: string): Buffer | undefined {
  return /^[\w-]{43}$/.test(text) ? Buffer.from(text, 'base64url') : undefined
}
