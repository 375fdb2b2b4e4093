import { clipEscaped } from '../text.ts'
import { alertOf, COLORS, HTML_ESCAPES } from './alert.ts'
import { apiUrl, bearer, type Preset, postJson } from './request.ts'

// Matrix, by the client-server API of a homeserver:
// https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid. An event has at most
// 65,536 bytes. The homeserver ignores a message whose transaction id it has seen, so a repeated attempt doubles nothing.

const PART_MAX = 5_000

export const matrixRequest: Preset = (message, { url, access = {} }, transactionId) => {
  const { tone, title, summary, facts, excerpt, links } = alertOf(message)
  const plain = [
    title,
    summary,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    ...(excerpt ? [excerpt] : []),
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ]
  const html = [
    `<p><strong><font data-mx-color="${COLORS[tone]}">${escaped(title)}</font></strong><br>${escaped(summary)}</p>`,
    `<ul>${facts.map(({ name, value }) => `<li><strong>${name}:</strong> ${escaped(value)}</li>`).join('')}</ul>`,
    ...(excerpt ? [`<pre><code>${escaped(excerpt)}</code></pre>`] : []),
    ...(links.length > 0
      ? [`<p>${links.map(({ label, url }) => `<a href="${escaped(url)}">${label}</a>`).join(' · ')}</p>`]
      : []),
  ]
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(access.roomId ?? '')}/send/m.room.message/${encodeURIComponent(transactionId)}`
  const event = {
    msgtype: 'm.text',
    body: plain.join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: html.join(''),
    // Names such as "@room" must not mention anyone.
    'm.mentions': {},
  }
  return { ...postJson(apiUrl(url, '', path), event, [bearer(access.token)]), method: 'PUT' }
}

function escaped(text: string): string {
  return clipEscaped(text, PART_MAX, (character) => HTML_ESCAPES[character] ?? character)
}
