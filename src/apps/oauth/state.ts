/** A registered app. */
export type App = {
  id: number
  company_id: number
  client_id: string
  name: string
  redirect_uris: string[]
  scopes: string[]
  developer_email: string
  data_change_sync_url: string | null
  secret_hash: Buffer
  previous_secret_hash: Buffer | null
  previous_secret_until: Date | null
}

/** An app as the company that registered it sees it. */
export type OwnApp = App & {
  /** Has the company let it in? */
  is_installed: boolean
  created_at: Date
  updated_at: Date
}
