import { clipEscaped } from '../text.ts'
import { type Alert, alertOf, COLORS } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Slack, by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks

/** A section's text may have 3,000 characters and a field's 2,000; longer messages are refused as a whole. */
const TEXT_MAX = 3_000
const FIELD_MAX = 2_000
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export const slackRequest: Preset = (message, { url }) => {
  const alert = alertOf(message)
  const text = escaped(alert.title, TEXT_MAX)
  return postJson(url, {
    text,
    unfurl_links: false,
    unfurl_media: false,
    attachments: [{ color: COLORS[alert.tone], fallback: text, blocks: blocksOf(alert) }],
  })
}

function blocksOf({ summary, facts, excerpt, links }: Alert): object[] {
  const fields = facts.map(({ name, value }) => mrkdwn(`*${name}*\n${escaped(value, FIELD_MAX - 40)}`))
  return [
    { type: 'section', text: mrkdwn(escaped(summary, TEXT_MAX)) },
    { type: 'section', fields },
    // A fence within the excerpt would end the block of code.
    ...(excerpt
      ? [{ type: 'section', text: mrkdwn(`\`\`\`${escaped(excerpt.replaceAll('`', "'"), TEXT_MAX - 6)}\`\`\``) }]
      : []),
    ...(links.length > 0
      ? [
          {
            type: 'context',
            elements: [mrkdwn(links.map(({ label, url }) => `<${linkTarget(url)}|${label}>`).join('  ·  '))],
          },
        ]
      : []),
  ]
}

/** `verbatim` keeps Slack from turning names of channels, addresses and mentions in the text into links. */
function mrkdwn(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true }
}

function escaped(text: string, max: number): string {
  return clipEscaped(text, max, (character) => ESCAPES[character] ?? character)
}

function linkTarget(url: string): string {
  return url.replace(/[|<>]/g, encodeURIComponent)
}
