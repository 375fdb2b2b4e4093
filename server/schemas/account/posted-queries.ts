/** Queries with the token of a link. They are sent by POST, so that the token appears in no URL and in no proxy's log. */
export const POSTED_QUERIES: readonly string[] = [
  'auth.invitation',
  'auth.passwordReset',
  'auth.unsubscription',
  'setup.link',
]
