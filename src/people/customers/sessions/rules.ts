const MINUTE = 60
const DAY = 86_400

/** A session ends after it was unused for this long. */
const IDLE_SECONDS = 30 * DAY
/** A session ends after this, even if it is in use. */
export const LONGEST_SECONDS = 90 * DAY
/** Use is noted at most this often, so that viewing pages writes next to nothing. */
const SEEN_SECONDS = 5 * MINUTE

/** How long a session that is offered to another host of the shop waits for its browser. */
export const HANDOVER_SECONDS = MINUTE

const after = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000)

/** The end of a session that is used now. */
export function sessionExpiry(createdAt: Date, now: Date): Date {
  const [idle, longest] = [after(now, IDLE_SECONDS), after(createdAt, LONGEST_SECONDS)]
  return idle < longest ? idle : longest
}

/** The use of a session is noted again if it was noted at this time or before. */
export function seenBefore(now: Date): Date {
  return after(now, -SEEN_SECONDS)
}
