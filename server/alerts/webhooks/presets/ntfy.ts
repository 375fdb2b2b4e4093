import { clip } from '../text.ts'
import { alertOf, type Tone } from './alert.ts'
import { apiUrl, bearer, type Preset, postJson } from './request.ts'

// ntfy, by JSON to the root of its server: https://docs.ntfy.sh/publish/#publish-as-json. A longer message than 4,096
// bytes becomes a file, so the text is clipped.

const SERVER = 'https://ntfy.sh'
const MESSAGE_MAX = 1_300
/** 5 rings until it is seen, 3 is the default. */
const PRIORITIES: Record<Tone, number> = { critical: 5, warning: 4, good: 3, info: 3 }
/** Shown as emoji. */
const TAGS: Record<Tone, string> = {
  critical: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  info: 'information_source',
}

export const ntfyRequest: Preset = (message, { url, access = {} }) => {
  const { tone, title, summary, facts, excerpt, links } = alertOf(message)
  const text = [
    clip(summary, 600),
    ...(excerpt ? [clip(excerpt, 300)] : []),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
  ]
  return postJson(
    apiUrl(url, SERVER, '/'),
    {
      topic: access.topic,
      title,
      message: clip(text.join('\n'), MESSAGE_MAX),
      priority: PRIORITIES[tone],
      tags: [TAGS[tone]],
      ...(links[0] && { click: links[0].url }),
      ...(links.length > 0 && { actions: links.map(({ label, url }) => ({ action: 'view', label, url })) }),
    },
    access.token ? [bearer(access.token)] : [],
  )
}
