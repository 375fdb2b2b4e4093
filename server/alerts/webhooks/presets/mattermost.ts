import { clip, clipEscaped } from '../text.ts'
import { alertOf, COLORS } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Mattermost, by an incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming, with an attachment
// of https://developers.mattermost.com/integrate/reference/message-attachments. Servers accept 7,600 characters of it.

const SUMMARY_MAX = 1_500
const FIELD_MAX = 280
/** URLs stay as they are: Mattermost shows a backslash in a link, and an invisible space breaks it. */
const URLS = /(https?:\/\/[\w.~:/?#@!$&+,;=%-]+)/
const MARKDOWN = /[\\`*_{}[\]()#+>~|!-]/g

export const mattermostRequest: Preset = (message, { url }) => {
  const { tone, title, summary, facts, excerpt, links, at } = alertOf(message)
  return postJson(url, {
    attachments: [
      {
        fallback: unmentioned(title),
        color: COLORS[tone],
        title: unmentioned(title),
        ...(links[0] && { title_link: links[0].url }),
        text: [
          escaped(summary, SUMMARY_MAX),
          ...(excerpt ? [`\`\`\`\n${unmentioned(excerpt.replaceAll('`', "'"))}\n\`\`\``] : []),
          ...(links.length > 0 ? [links.map(({ label, url }) => `[${label}](${url})`).join('  ·  ')] : []),
        ].join('\n\n'),
        fields: facts.map(({ name, value }) => ({ short: true, title: name, value: escaped(value, FIELD_MAX) })),
        footer: 'Soundline',
        ts: Math.floor(Date.parse(at) / 1_000),
      },
    ],
  })
}

/** A message cannot be told to mention nobody, so an invisible space follows the sign of a mention, as in "@all". */
function unmentioned(text: string): string {
  return besidesUrls(text, (part) => part.replace(/(?<!\w)@(?=\w)/g, '@\u200b'))
}

function escaped(text: string, max: number): string {
  const escapePart = (part: string) => part.replace(MARKDOWN, '\\$&')
  const whole = besidesUrls(unmentioned(clip(text, max)), escapePart)
  return whole.length <= max ? whole : clipEscaped(unmentioned(text), max, escapePart)
}

function besidesUrls(text: string, change: (part: string) => string): string {
  // Every second part is a URL.
  const parts = text.split(URLS)
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('')
}
