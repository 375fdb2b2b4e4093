import { clipEscaped } from '../text.ts'
import { alertOf, COLORS, HTML_ESCAPES } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Google Chat, by an incoming webhook of a space: https://developers.google.com/workspace/chat/quickstart/webhooks. The
// card is of https://developers.google.com/workspace/chat/api/reference/rest/v1/cards. A message has at most 32,000 bytes.

const TEXT_MAX = 2_000
const FACT_MAX = 600
const ESCAPES: Record<string, string> = { ...HTML_ESCAPES, '\n': '<br>' }

/** The messages of an incident are one thread. */
export const googleChatRequest: Preset = (message, { url }) => {
  const { tone, title, summary, facts, excerpt, links, dedupKey } = alertOf(message)
  return postJson(threaded(url), {
    // Notifications show it. Names must not mention anyone: a mention is written as <users/all>.
    fallbackText: title.replaceAll('<', '‹'),
    thread: { threadKey: dedupKey },
    cardsV2: [
      {
        cardId: 'alert',
        card: {
          sections: [
            {
              widgets: [
                paragraph(`<b><font color="${COLORS[tone]}">${escaped(title)}</font></b>`),
                paragraph(escaped(summary)),
                ...facts.map(({ name, value }) => ({
                  decoratedText: { topLabel: name, text: escaped(value, FACT_MAX), wrapText: true },
                })),
                ...(excerpt ? [paragraph(escaped(excerpt))] : []),
                ...(links.length > 0 ? [{ buttonList: { buttons: links.map(button) } }] : []),
              ],
            },
          ],
        },
      },
    ],
  })
}

/** Without this parameter, the key of the thread is ignored. */
function threaded(url: string): string {
  const target = URL.parse(url)
  target?.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  return target?.href ?? url
}

function paragraph(text: string): object {
  return { textParagraph: { text } }
}

function button({ label, url }: { label: string; url: string }): object {
  return { text: label, onClick: { openLink: { url } } }
}

function escaped(text: string, max = TEXT_MAX): string {
  return clipEscaped(text, max, (character) => ESCAPES[character] ?? character)
}
