/** What customers of the operator know of the service, in the order of the page. */
export const PARTS = ['shops', 'work', 'webhooks', 'mails'] as const
export type Part = (typeof PARTS)[number]

/** A day of a part: how many of its minutes have worked, and which was the first. Days are those of UTC. */
export type PartDay = { day: string; part: string; good: number; first: number; seen_at: Date }

export const DAYS = 90
