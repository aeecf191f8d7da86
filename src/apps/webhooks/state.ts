/** Why a webhook gets nothing: its owner paused it, its receiver failed for 48 hours or answered 410, or the app is gone. */
export type InactiveReason = 'paused' | 'failing' | 'gone' | 'uninstalled'

export type WebhookState = {
  company_id: number
  id: number
  app_id: number
  topic: string
  address: string
  is_active: boolean
  inactive_reason: InactiveReason | null
  failures: number
  first_failed_at: Date | null
  due_at: Date | null
  created_at: Date
  updated_at: Date
}

/** The webhooks that a caller may see: those of an app, or, for a user of the company, of every app. */
export type WebhookOwner = { companyId: number; appId: number | undefined }

/** The secrets of an app as they are stored. */
export type SealedSecrets = {
  sealed_secret: Buffer | null
  previous_sealed_secret: Buffer | null
  previous_secret_until: Date | null
}
