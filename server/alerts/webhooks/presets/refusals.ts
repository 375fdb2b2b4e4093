import type { WebhookPreset } from '../../../schemas/organization/webhook-presets.ts'

/** What an answer of a service means: the first whose status and, if given, text match. */
type Refusal = { status: number[]; answer?: RegExp; means: string }

const REFUSALS: Partial<Record<WebhookPreset, Refusal[]>> = {
  slack: [
    { status: [403, 404, 410], means: 'the webhook URL is wrong, or the webhook or its channel was removed in Slack' },
  ],
  discord: [{ status: [401, 404], means: 'the webhook URL is wrong, or the webhook was removed in Discord' }],
  pagerduty: [{ status: [400], means: 'PagerDuty does not know the integration key, or refused the event' }],
  opsgenie: [{ status: [401, 403, 422], means: 'the API key is wrong, of the other region, or may not create alerts' }],
  telegram: [
    { status: [401, 404], means: 'the bot token is wrong' },
    { status: [400, 403], means: 'the bot does not know the chat, or is not in it' },
  ],
  googlechat: [
    {
      status: [400, 401, 403],
      answer: /API key|token|permission|auth/i,
      means: 'the key or token in the URL is wrong',
    },
    { status: [404], means: 'the space does not exist, or the webhook was removed in Google Chat' },
  ],
  mattermost: [
    { status: [400, 404], answer: /webhook/i, means: 'the webhook URL is wrong, or the webhook was removed' },
    { status: [403], means: 'incoming webhooks are off, or the webhook may not post to the channel' },
  ],
  ntfy: [
    { status: [401], means: 'the access token is wrong' },
    { status: [403], means: 'the topic is protected, and the access token is missing or may not write to it' },
  ],
  pushover: [
    {
      status: [400],
      answer: /"token"\s*:\s*"invalid"|application token/i,
      means: 'the application token is wrong',
    },
    { status: [400], answer: /"user"\s*:\s*"invalid"|user (key|identifier)/i, means: 'the user or group key is wrong' },
    { status: [429], means: 'the application has used up its messages of this month' },
  ],
  matrix: [
    { status: [401], means: 'the access token is wrong or has expired' },
    { status: [403], means: 'the user of the access token is not in the room, or may not write there' },
    { status: [404], means: 'the homeserver or the room is wrong' },
  ],
  twilio: [
    { status: [401], means: 'the account SID or the auth token is wrong' },
    { status: [404], means: 'the account SID is wrong' },
    { status: [400], answer: /\b(21211|21614|21265)\b/, means: 'the number of the receiver is wrong' },
    { status: [400], answer: /\b(21212|21603|21606|21659|21660)\b/, means: 'the account cannot send from this sender' },
    { status: [400], answer: /\b21608\b/, means: 'a trial account sends only to verified numbers' },
    { status: [400], answer: /\b21610\b/, means: 'the receiver has opted out of messages of this sender' },
  ],
  incidentio: [
    { status: [401, 403], means: 'the token is wrong, or is not of this alert source' },
    { status: [404], means: 'the alert source in the URL does not exist' },
  ],
  oncall: [{ status: [401, 403, 404], means: 'the URL is wrong, or the integration was removed in Grafana' }],
}

/**
 * Returns why a message was not accepted, for the delivery log. Readers of the log need not see the webhook's keys, so
 * the text quotes nothing of the answer.
 */
export function refusalOf(preset: string, status: number, answer: string | null): string {
  const known = Object.hasOwn(REFUSALS, preset) ? REFUSALS[preset as WebhookPreset] : undefined
  const refusal = known?.find((one) => one.status.includes(status) && (one.answer?.test(answer ?? '') ?? true))
  return `the receiver responded with status ${status}${refusal ? `: ${refusal.means}` : ''}`
}
