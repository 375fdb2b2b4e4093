import { clip } from '../text.ts'
import { alertOf } from './alert.ts'
import { apiUrl, type Preset, postForm } from './request.ts'

// Pushover, by its Message API: https://pushover.net/api, and its Receipt API: https://pushover.net/api/receipts. A message
// has at most 1,024 characters, a title 250, a URL 512 and its title 100.

const API = 'https://api.pushover.net'
const TITLE_MAX = 250
const MESSAGE_MAX = 1_024
const URL_MAX = 512
/** An emergency rings every minute until a person acknowledges it or its tag cancels it, for at most an hour. */
const EMERGENCY = { priority: '2', retry: '60', expire: '3600' }
const PRIORITIES = { critical: '1', warning: '0', good: '0', info: '-1' }

export const pushoverRequest: Preset = (message, { url, access = {} }) => {
  const { tone, title, summary, facts, excerpt, links, dedupKey, isOver, at } = alertOf(message)
  const hasEmergencies = access.urgency === 'emergency'
  // A delivery is one request: that the ringing ends says more than one more message.
  if (hasEmergencies && isOver) {
    const path = `/1/receipts/cancel_by_tag/${encodeURIComponent(dedupKey)}.json`
    return postForm(apiUrl(url, API, path), { token: access.token ?? '' })
  }
  const text = [
    clip(summary, 500),
    ...(excerpt ? [clip(excerpt, 200)] : []),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
  ]
  const link = links.find((one) => one.url.length <= URL_MAX)
  return postForm(apiUrl(url, API, '/1/messages.json'), {
    token: access.token ?? '',
    user: access.userKey ?? '',
    title: clip(title, TITLE_MAX),
    message: clip(text.join('\n'), MESSAGE_MAX),
    timestamp: String(Math.floor(Date.parse(at) / 1_000)),
    ...(link && { url: link.url, url_title: link.label }),
    ...(hasEmergencies && tone === 'critical' ? { ...EMERGENCY, tags: dedupKey } : { priority: PRIORITIES[tone] }),
  })
}
