/** Latin letters that have no accent to take away, as people write them without such letters. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
}

/** The end of an address that people can read. The id before it is enough to find the thing. */
export function slug(title: string): string {
  const words = title
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/g, (letter) => PLAIN[letter] ?? letter)
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('-').slice(0, 60).replace(/-$/, '')
}

function pathOf(folder: string, id: number | string, title: string): string {
  const words = slug(title)
  return `/${folder}/${id}${words === '' ? '' : `-${words}`}`
}

export const productPath = (id: number, title: string): string => pathOf('products', id, title)
export const categoryPath = (id: number, title: string): string => pathOf('categories', id, title)

export const membershipPath = (groupId: string, title: string): string => pathOf('memberships', groupId, title)

/** The group at the beginning of an address such as `s77-kino-club`; undefined if there is none. */
export function groupIdIn(ref: string): string | undefined {
  return /^([csp]\d{1,18})(?:-|$)/i.exec(ref)?.[1]?.toLowerCase()
}

/** The id at the beginning of an address such as `12-the-last-ferry`; undefined if there is none. */
export function idIn(ref: string): number | undefined {
  const [, id] = /^(\d{1,15})(?:-|$)/.exec(ref) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The `product_id` that an address is, in capitals; empty if it is none. */
export function productIdIn(ref: string): string {
  return /^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/i.test(ref) ? ref.toUpperCase() : ''
}
