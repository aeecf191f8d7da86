import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createCustomerDocuments } from '#selling/invoices/site.ts'
import { asksInShop } from '#selling/payments/rules.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'
import { type Member, pathPart } from '#shop/sign-in/sessions/site.ts'
import { findBegun, getOwnSubscription, readSubscriptionPage } from './queries.ts'
import { refusalOf } from './rules.ts'
import type { Till } from './till.commands.ts'

export type SubscriptionPagesOptions = Pick<
  ResourceOptions,
  'db' | 'now' | 'clock' | 'vault' | 'files' | 'outbound' | 'serviceUrls'
>

const CONFLICT = 409

/** What is said above a page after a form. */
export type Said = { notice?: string | undefined; alarm?: string; status?: number }

/** What the pages about one subscription of a customer share. */
export type Desk = {
  till: Till
  /** The subscription of the customer that the address names. */
  find(request: FastifyRequest, member: Member): Promise<SubscriptionState>
  show(request: FastifyRequest, reply: FastifyReply, member: Member, said?: Said): Promise<FastifyReply>
  /** Runs a change, and says on the page of the subscription why it was refused, if it was. */
  orSay(
    request: FastifyRequest,
    reply: FastifyReply,
    member: Member,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply>
}

export const pathOf = ({ id }: Pick<SubscriptionState, 'id'>): string => `/account/subscriptions/${id}`

export function createDesk(options: SubscriptionPagesOptions, till: Till): Desk {
  const { db, now } = options
  const readDocuments = createCustomerDocuments(options)

  const find: Desk['find'] = (request, { session }) => getOwnSubscription(db, session, pathPart(request, 'id'))

  const show: Desk['show'] = async (request, reply, member, said = {}) => {
    const { status = 200, ...words } = said
    const subscription = await find(request, member)
    const [values, means, begun] = await Promise.all([
      readSubscriptionPage(db, subscription, {
        language: request.visit.language,
        readDocuments,
        now: now(subscription.company_id),
      }),
      till.means(subscription),
      findBegun(db, subscription),
    ])
    const page = { title: values.subscription.title, is_private: true, has_error: status !== 200 }
    const model = {
      page,
      ...values,
      means,
      gateway: subscription.gateway,
      ...words,
      is_second_step: begun?.status === 'created' && asksInShop(begun),
      means_failed: begun?.status === 'failed',
    }
    return reply.shopPage('account-subscription', model, { status })
  }

  return {
    till,
    find,
    show,
    async orSay(request, reply, member, work) {
      try {
        return await work()
      } catch (error) {
        const alarm = refusalOf(error)
        if (alarm === undefined) throw error
        return show(request, reply, member, { status: CONFLICT, alarm })
      }
    },
  }
}
