const DAY_MS = 86_400_000

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

type Place = { companyId: number; actsForId: number }

/**
 * A backup holds all companies, so only users of the operator's own company may see that there are any: not those of a partner who
 * work for it.
 */
export function mayBackUp({ companyId, actsForId }: Place, settings: { companyId: number } | undefined): boolean {
  return settings !== undefined && companyId === settings.companyId && actsForId === settings.companyId
}
