/** A company that will be deleted, is being deleted, or was. */
export type DeletionState = {
  company_id: number
  /** The email address of the user who asked for it. */
  requested_by: string
  requested_at: Date
  due_at: Date
  /** Until when what has to be kept by law is kept. */
  kept_until: Date
  started_at: Date | null
  /** When everything but what has to be kept was gone. */
  deleted_at: Date | null
  /** When that was gone, too. */
  ended_at: Date | null
}
