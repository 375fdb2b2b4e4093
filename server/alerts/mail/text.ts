// Members choose names and addresses that appear in mails to others. There they must neither start a line nor become a
// link: mail clients turn anything that looks like a URL into one. Other texts, such as the URL of a failing request, are
// shown as they are, so that they can be copied.

/** A zero-width space: invisible, and it interrupts the pattern of a URL. */
const BREAK = '\u200b'

/** Returns a name for use in a mail: on one line, and with the characters of links separated. */
export function unlinked(name: string): string {
  return onOneLine(name).replace(/(?<=\S)[.:/@](?=\S)/g, `${BREAK}$&${BREAK}`)
}

/** Returns the text on one line, without control characters. */
export function onOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
