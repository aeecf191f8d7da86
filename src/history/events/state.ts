/** An event of the log. Its id there is its position, which the dispatcher gives in order. */
export type LoggedEvent = {
  id: number
  topic: string
  data: { type: string; id: string }
  created_at: Date
}

/** Who reads the log of a company: an app, which sees no events about other apps, or a signed-in user, who has no app. */
export type LogReader = { companyId: number; appId: number | null }
