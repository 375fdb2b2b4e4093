/** Why a link does not work, for members. */
export const UNSUBSCRIBE_PROBLEMS: Record<string, string> = {
  invalid: 'This link is not valid. Open the whole link from the mail that you received.',
  expired: 'This link has expired. Use the link of a newer mail, or sign in and add a silence under My silences.',
  gone: 'This link no longer works: you left the organization or changed your address, or the subject of the mail was deleted or is no longer visible to you.',
}
