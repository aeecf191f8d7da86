/** An event of the log. Its id there is its position, which the dispatcher gives in order. */
export type LoggedEvent = {
  id: number
  topic: string
  data: { type: string; id: string }
  created_at: Date
}

/** The app that reads the log of a company. Events about other apps are not shown to it. */
export type LogReader = { companyId: number; appId: number }
