import { clipEscaped, onOneLine } from '../text.ts'
import { alertOf } from './alert.ts'
import { apiUrl, type Preset, postForm } from './request.ts'

// Twilio, by its Messages resource: https://www.twilio.com/docs/messaging/api/message-resource. An SMS has at most 160
// characters of the alphabet GSM-7; with any other character, only 70 fit into one.

const API = 'https://api.twilio.com'
const SMS_MAX = 160
/** A link that leaves less for the title is omitted. */
const TITLE_MIN = 60
/** Characters that take two places. */
const EXTENDED = /[\^{}\\[\]~|€]/
const ESCAPE = '\u001b'
const PLAIN: Record<string, string> = {
  '–': '-',
  '—': '-',
  '…': '...',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '`': "'",
}

export const twilioRequest: Preset = (message, { url, access = {} }) => {
  const { accountSid = '', token, from = '', to = '' } = access
  const { title, links } = alertOf(message)
  const link = links[0] && SMS_MAX - links[0].url.length > TITLE_MIN ? ` ${links[0].url}` : ''
  const body = `${shortened(title, SMS_MAX - link.length)}${link}`
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return postForm(
    apiUrl(url, API, `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`),
    { To: to, [sender]: from, Body: body },
    [['Authorization', `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`]],
  )
}

/** Without typographic signs, which the alphabet lacks. The mark of a cut text becomes three characters. */
function shortened(title: string, max: number): string {
  const plain = onOneLine(title).replace(/[–—…‘’“”`]/g, (sign) => PLAIN[sign] ?? sign)
  const places = clipEscaped(plain, max - 2, (character) => (EXTENDED.test(character) ? ESCAPE + character : character))
  return places.replaceAll(ESCAPE, '').replace(/…$/, '...')
}
