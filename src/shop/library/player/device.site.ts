import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from '#platform/identity/crypto.ts'
import { readShopCookie, writeShopCookie } from '#shop/site/cookies.site.ts'

/** Keeps the id of this browser as a device of the customer. */
const COOKIE = 'licet_device'
const SECONDS = 400 * 86_400
const DEVICE = /^[A-Za-z0-9_-]{22}$/
const DEVICE_BYTES = 16

/** The id of the browser as a device. One that is not known gets an id, which it keeps. */
export function deviceOf(request: FastifyRequest, reply: FastifyReply): string {
  const known = readShopCookie(request, COOKIE) ?? ''
  if (DEVICE.test(known)) return known
  const id = randomToken(DEVICE_BYTES)
  writeShopCookie(reply, COOKIE, id, SECONDS)
  return id
}
