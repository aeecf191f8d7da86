import type { Topic } from '#history/events/topics.facts.ts'
import { createGroupMember, deleteMembershipsOf, updateGroupMember } from '#people/audience/group-members/commands.ts'
import { deleteRecipientsOf, signUp, updateNewsRecipient } from '#people/audience/news-recipients/commands.ts'
import { createSubscriber, deleteSubscriptionsOf, updateSubscriber } from '#people/audience/subscribers/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { wireTime } from '#platform/wire/times.ts'

/** Makes a change and says in words what was changed. */
export type Trigger = (tx: Tx, author: Author, now: Date) => Promise<string>

/** A person who does not exist, the same for each trigger, so that the next one finds and removes what this one leaves. */
const testEmail = ({ companyId }: Pick<Author, 'companyId'>) => `test-person-${companyId}@example.com`

type Entry = { id: number; email: string }
type Remove = (tx: Tx, companyId: number, person: { token: string; email: string }) => Promise<void>
type Change = (tx: Tx, author: Author, id: string, now: Date) => Promise<unknown>

function triggersOf(
  noun: string,
  add: (tx: Tx, author: Author, now: Date) => Promise<{ state: Entry }>,
  change: Change,
  remove: Remove,
): { create: Trigger; update: Trigger } {
  const inWords = ({ id, email }: Entry) => `${noun} ${id}, ${email}`
  const addAgain = async (tx: Tx, author: Author, now: Date) => {
    await remove(tx, author.companyId, { token: '', email: testEmail(author) })
    return add(tx, author, now)
  }
  return {
    create: async (tx, author, now) => inWords((await addAgain(tx, author, now)).state),
    update: async (tx, author, now) => {
      const { state } = await addAgain(tx, author, now)
      await change(tx, author, String(state.id), now)
      return inWords(state)
    },
  }
}

const subscriber = triggersOf(
  'Subscriber',
  (tx, author, now) => createSubscriber(tx, author, { email: testEmail(author), group_id: 's1' }, now),
  (tx, author, id, now) => updateSubscriber(tx, author, id, { ends_at: wireTime(now) }, now),
  deleteSubscriptionsOf,
)

const groupMember = triggersOf(
  'Group member',
  (tx, author, now) => createGroupMember(tx, author, { email: testEmail(author), group_id: 'c1' }, now),
  (tx, author, id, now) => updateGroupMember(tx, author, id, { end_at: wireTime(now) }, now),
  deleteMembershipsOf,
)

/** With the consent that a test person cannot give, so that no mail is sent. */
const newsRecipient = triggersOf(
  'Newsletter recipient',
  (tx, author, now) => signUp(tx, author, { email: testEmail(author), confirmed_at: wireTime(now) }, '', now),
  (tx, author, id, now) => updateNewsRecipient(tx, author, id, { state: 'unsubscribed' }, now),
  deleteRecipientsOf,
)

/** Changes of the audience that cause real events, by topic. */
export const AUDIENCE_TRIGGERS: Partial<Record<Topic, Trigger>> = {
  'subscriber/create': subscriber.create,
  'subscriber/update': subscriber.update,
  'groupmember/create': groupMember.create,
  'groupmember/update': groupMember.update,
  'newsrecipient/create': newsRecipient.create,
  'newsrecipient/update': newsRecipient.update,
}
