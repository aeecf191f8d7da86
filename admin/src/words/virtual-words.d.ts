/** Messages of the admin interface in one language; see admin/words.ts. */
declare module 'virtual:words/*' {
  const messages: object
  export default messages
}
