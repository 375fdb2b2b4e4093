import { alertOf, type Tone } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Microsoft Teams, by a workflow "Post to a channel when a webhook request is received". It takes an adaptive card in a
// message of at most 28 KB. Text runs show their text as it is: text blocks would read names as Markdown.

const COLORS: Record<Tone, string> = { critical: 'Attention', warning: 'Warning', good: 'Good', info: 'Accent' }

export const teamsRequest: Preset = (message, { url }) => {
  const { tone, title, summary, facts, excerpt, links } = alertOf(message)
  return postJson(url, {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          fallbackText: title,
          body: [
            richText({ text: title, weight: 'Bolder', size: 'Medium', color: COLORS[tone] }),
            richText({ text: summary }),
            ...facts.map(({ name, value }) => richText({ text: `${name}: `, weight: 'Bolder' }, { text: value })),
            ...(excerpt ? [richText({ text: excerpt, fontType: 'Monospace', isSubtle: true })] : []),
          ],
          actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        },
      },
    ],
  })
}

function richText(...runs: { text: string; [style: string]: unknown }[]): object {
  return { type: 'RichTextBlock', spacing: 'Small', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) }
}
