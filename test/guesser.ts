import { csrfTokenOn, type PageAnswer, type Visitor, visit } from './visitor.ts'

export type Guesser = { visitor: Visitor; guess(email: string, password: string): Promise<PageAnswer> }

/** A client that sends passwords without loading the page again; `address` is the one that a trusted proxy reports. */
export async function aGuesser(url: string, address?: string): Promise<Guesser> {
  const visitor = visit(url, address === undefined ? {} : { 'x-forwarded-for': address })
  const _csrf = csrfTokenOn(await visitor.get('/sign-in'))
  return { visitor, guess: (email, password) => visitor.post('/sign-in', { _csrf, email, password, return_to: '' }) }
}
