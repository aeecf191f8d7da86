import { inBatches } from '#platform/db/batches.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { GROUP_MEMBERS } from './group-members/queries.ts'
import { groupMemberRoutes } from './group-members/routes.ts'
import { GroupMember } from './group-members/schema.ts'
import { deleteUnconfirmed } from './news-recipients/commands.ts'
import { NEWS_RECIPIENTS } from './news-recipients/queries.ts'
import { newsRecipientRoutes } from './news-recipients/routes.ts'
import { NewsRecipient } from './news-recipients/schema.ts'
import { deleteOldConfirmations } from './newsletter/commands.ts'
import { SUBSCRIBERS } from './subscribers/queries.ts'
import { subscriberRoutes } from './subscribers/routes.ts'
import { Subscriber } from './subscribers/schema.ts'

export const audience: Resource = {
  tags: [
    { name: 'Subscribers', description: 'Who has subscribed to a group.' },
    { name: 'Group members', description: 'Who belongs to an access group or a sharing group.' },
    { name: 'Newsletter recipients', description: 'Who gets the newsletter of a shop, and has agreed to it.' },
  ],
  schemas: [Subscriber, GroupMember, NewsRecipient],
  routes: [subscriberRoutes, groupMemberRoutes, newsRecipientRoutes],
  chores: ({ db, clock }) => ({
    'delete unconfirmed newsletter recipients': {
      everySeconds: 3600,
      run: async () => {
        await inBatches(db, (tx) => deleteOldConfirmations(tx, clock.now()))
        await inBatches(db, (tx) => deleteUnconfirmed(tx, clock.now()))
      },
    },
  }),
  recount: async (tx, companyId) => {
    for (const table of [SUBSCRIBERS, GROUP_MEMBERS, NEWS_RECIPIENTS] as const) await resetCounter(tx, companyId, table)
  },
}
