/** Made from the changelog when the admin interface is built. */
declare module 'virtual:news' {
  export const NEWS: readonly string[]
}

/** Names the news of this build; empty if there are none. */
declare const LICET_NEWS: string
