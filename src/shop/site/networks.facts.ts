/** The places where a shop has pages of its own, by their names, and the fields with the addresses. */
export const NETWORKS = [
  { name: 'Facebook', field: 'facebook_url' },
  { name: 'X', field: 'twitter_url' },
  { name: 'YouTube', field: 'youtube_url' },
  { name: 'Google', field: 'google_url' },
] as const
