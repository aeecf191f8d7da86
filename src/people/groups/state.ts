/** What a group is for: access that the company gives, a subscription, or content that its members share. */
export type GroupKind = 'access' | 'subscription' | 'sharing'

export type GroupLocale = { language: string; title: string; description: string }

export type GroupState = {
  company_id: number
  id: number
  /** The letter of its kind and a number: `s77`. */
  group_id: string
  title: string
  /** The license that its members use content under; null: no limits. */
  license_id: number | null
  valid: boolean
  locales: GroupLocale[]
  created_at: Date
  updated_at: Date
}

/** A group with the number of its members, also of those whose time has not begun or is over. */
export type CountedGroup = GroupState & { members: number }
