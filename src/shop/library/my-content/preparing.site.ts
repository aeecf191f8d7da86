import type { FastifyReply } from 'fastify'
import type { OwnedItem } from './library.present.ts'

const RELOAD_SECONDS = '3'

/** Says that a book is being made ready for the customer. The browser asks again by itself, without script. */
export function showPreparing(reply: FastifyReply, { item }: { item: OwnedItem }): Promise<FastifyReply> {
  const page = { title_key: 'preparing.title', is_private: true }
  return reply.shopPage('preparing', { page, item }, { headers: { refresh: RELOAD_SECONDS } })
}
