/** A backup that a user has started. */
export type RunState = {
  id: number
  company_id: number
  requested_by: string
  name: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  done: number
  total: number
  problem: string | null
  created_at: Date
  finished_at: Date | null
}

/** A backup in the folder of the operator. */
export type BackupFolder = {
  name: string
  createdAt: Date
  version: string
  rows: number
  files: number
  bytes: number | undefined
  /** When it was read again and compared; undefined: nobody has. */
  checkedAt: Date | undefined
  isDamaged: boolean
}
