import { type Mood, type MoodyServer, startMoody } from './moods.ts'

/** An event that arrived, and how it was answered. */
type Arrival = { message: string; mood: Mood }

export type MoodyReceiver = { server: MoodyServer; arrivals: Arrival[] }

/** Only the status counts, so a page and nonsense acknowledge an event too. */
const ACKNOWLEDGED: readonly Mood[] = ['works', 'answers nonsense', 'answers a page']
/** Whether an answer that breaks off has arrived depends on where it breaks. */
const UNCLEAR: readonly Mood[] = ['answers half']

/** A receiver of webhooks that remembers what arrived. */
export async function startReceiver(): Promise<MoodyReceiver> {
  const arrivals: Arrival[] = []
  const server = await startMoody(async ({ headers }, mood) => {
    arrivals.push({ message: String(headers['webhook-id']), mood })
    return { status: 200, body: '{"received":true}' }
  })
  return { server, arrivals }
}

/** The messages that never arrived, and those that came again after they were acknowledged. */
export function compareArrivals(
  { arrivals }: MoodyReceiver,
  messages: readonly string[],
): { missing: string[]; repeated: string[] } {
  const moods = Map.groupBy(arrivals, ({ message }) => message)
  const of = (message: string) => (moods.get(message) ?? []).map(({ mood }) => mood)
  const missing = messages.filter(
    (message) => !of(message).some((mood) => ACKNOWLEDGED.includes(mood) || UNCLEAR.includes(mood)),
  )
  const repeated = messages.filter((message) => {
    const first = of(message).findIndex((mood) => ACKNOWLEDGED.includes(mood))
    return first !== -1 && first < of(message).length - 1
  })
  return { missing, repeated }
}
