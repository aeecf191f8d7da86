import type { FastifyRequest } from 'fastify'

const HOST = /^[a-z0-9.:[\]-]{1,300}$/

/** The sites that may show the book: the page of the shop, and those around it. */
export function parentsOf({ protocol, host, visit }: FastifyRequest): string {
  const own = HOST.test(host.toLowerCase()) ? [`${protocol}://${host.toLowerCase()}`] : []
  return [...own, ...visit.shop.frame_origins].join(' ')
}
