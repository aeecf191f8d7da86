import type { Topic } from '#history/events/topics.facts.ts'
import { createGroupMember, updateGroupMember } from '#people/audience/group-members/commands.ts'
import { signUp, updateNewsRecipient } from '#people/audience/news-recipients/commands.ts'
import { createSubscriber, updateSubscriber } from '#people/audience/subscribers/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { randomCapitals } from '#platform/identity/crypto.ts'
import { wireTime } from '#platform/wire/times.ts'

/** Makes a change and says in words what was changed. */
export type Trigger = (tx: Tx, author: Author, now: Date) => Promise<string>

/** A person who does not exist. */
export const testEmail = () => `test-${randomCapitals(12).toLowerCase()}@example.com`

type Entry = { id: number; email: string }
type Change = (tx: Tx, author: Author, id: string, now: Date) => Promise<unknown>

function triggersOf(
  noun: string,
  add: (tx: Tx, author: Author, now: Date) => Promise<{ state: Entry }>,
  change: Change,
): { create: Trigger; update: Trigger } {
  const inWords = ({ id, email }: Entry) => `${noun} ${id}, ${email}`
  return {
    create: async (tx, author, now) => inWords((await add(tx, author, now)).state),
    update: async (tx, author, now) => {
      const { state } = await add(tx, author, now)
      await change(tx, author, String(state.id), now)
      return inWords(state)
    },
  }
}

const subscriber = triggersOf(
  'Subscriber',
  (tx, author, now) => createSubscriber(tx, author, { email: testEmail(), group_id: 's1' }, now),
  (tx, author, id, now) => updateSubscriber(tx, author, id, { ends_at: wireTime(now) }, now),
)

const groupMember = triggersOf(
  'Group member',
  (tx, author, now) => createGroupMember(tx, author, { email: testEmail(), group_id: 'c1' }, now),
  (tx, author, id, now) => updateGroupMember(tx, author, id, { end_at: wireTime(now) }, now),
)

/** With the consent that a test person cannot give, so that no mail is sent. */
const newsRecipient = triggersOf(
  'Newsletter recipient',
  (tx, author, now) => signUp(tx, author, { email: testEmail(), confirmed_at: wireTime(now) }, '', now),
  (tx, author, id, now) => updateNewsRecipient(tx, author, id, { state: 'unsubscribed' }, now),
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
