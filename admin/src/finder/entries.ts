import type { LinkProps } from '@tanstack/react-router'

export const GROUPS = ['places', 'products', 'customers', 'memberships', 'subscriptions', 'orders', 'selling'] as const
export type Group = (typeof GROUPS)[number]

/** Something that can be found, and where it leads. */
export type Entry = {
  key: string
  group: Group
  title: string
  /** What tells it from others of the same name. */
  about: string
  link: Pick<LinkProps, 'to' | 'params' | 'search'> | { href: string }
}

const plain = (text: string) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')

/** Does a text have all of the words, or beginnings of them? */
export function hasWords(text: string, words: string): boolean {
  const parts = plain(text).split(/\s+/)
  return plain(words)
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)))
}
