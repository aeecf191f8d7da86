/** Where the services of others are that the program calls. Tests put servers of their own in their place. */
export type ServiceUrls = {
  stripe: string
}
