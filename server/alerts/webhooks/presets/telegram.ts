import { clipEscaped } from '../text.ts'
import { alertOf, HTML_ESCAPES, type Tone } from './alert.ts'
import { apiUrl, type Preset, postJson } from './request.ts'

// Telegram, by the Bot API: https://core.telegram.org/bots/api#sendmessage. A message may have 4,096 characters without
// its tags; the clipped parts of an alert are fewer.

const API = 'https://api.telegram.org'
const PART_MAX = 10_000
const SIGNS: Record<Tone, string> = { critical: '🔴', warning: '🟠', good: '🟢', info: '🔵' }

export const telegramRequest: Preset = (message, { url, access = {} }) => {
  const { tone, title, summary, facts, excerpt, links } = alertOf(message)
  const text = [
    `${SIGNS[tone]} <b>${escaped(title)}</b>`,
    escaped(summary),
    facts.map(({ name, value }) => `<b>${name}:</b> ${escaped(value)}`).join('\n'),
    ...(excerpt ? [`<pre>${escaped(excerpt)}</pre>`] : []),
    ...(links.length > 0
      ? [links.map(({ label, url }) => `<a href="${escaped(url)}">${label}</a>`).join('  ·  ')]
      : []),
  ].join('\n\n')
  return postJson(apiUrl(url, API, `/bot${access.botToken}/sendMessage`), {
    chat_id: access.chatId,
    text,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  })
}

function escaped(text: string): string {
  return clipEscaped(text, PART_MAX, (character) => HTML_ESCAPES[character] ?? character)
}
