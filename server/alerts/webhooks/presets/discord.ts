import { clipEscaped } from '../text.ts'
import { alertOf, type Tone } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Discord, by a channel's webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook. An embed may
// have 6,000 characters in all.

const TITLE_MAX = 256
const DESCRIPTION_MAX = 2_500
const FIELD_MAX = 300
const COLORS: Record<Tone, number> = { critical: 0xd92d20, warning: 0xf79009, good: 0x12b76a, info: 0x667085 }
const MARKDOWN = /[\\*_~`|<>[\]()#:@-]/

export const discordRequest: Preset = (message, { url }) => {
  const { tone, title, summary, facts, excerpt, links, at } = alertOf(message)
  const description = [
    escaped(summary, 1_500),
    ...(excerpt ? [`\`\`\`\n${clipEscaped(excerpt, 600, (one) => (one === '`' ? "'" : one))}\n\`\`\``] : []),
    ...links.map(({ label, url }) => `[${label}](${url})`),
  ].join('\n')
  return postJson(url, {
    embeds: [
      {
        title: escaped(title, TITLE_MAX),
        ...(links[0] && { url: links[0].url }),
        description: description.length > DESCRIPTION_MAX ? escaped(summary, 1_500) : description,
        color: COLORS[tone],
        fields: facts.map(({ name, value }) => ({ name, value: escaped(value, FIELD_MAX), inline: true })),
        footer: { text: 'Soundline' },
        timestamp: at,
      },
    ],
    // Names such as "@everyone" must not mention anyone.
    allowed_mentions: { parse: [] },
  })
}

/** Discord shows a punctuation mark after a backslash as it is. */
function escaped(text: string, max: number): string {
  return clipEscaped(text, max, (character) => (MARKDOWN.test(character) ? `\\${character}` : character))
}
