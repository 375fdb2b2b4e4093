// What members and targets choose (names, addresses, errors) stands in mails that others read. There it must neither
// begin a line of its own nor become a link: clients make links of whatever looks like one.

/** Zero-width space: not seen, and no pattern of an address goes across it. */
const BREAK = '\u200b'

/** A name as a mail may hold it: on one line, and with what links are made of taken apart. */
export function unlinked(name: string): string {
  return onOneLine(name).replace(/(?<=\S)[.:/@](?=\S)/g, `${BREAK}$&${BREAK}`)
}

/** Text for a header: without anything that could end one. */
function onOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
