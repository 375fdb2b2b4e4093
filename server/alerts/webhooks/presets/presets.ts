import type { WebhookConfig } from '../config.ts'
import type { WebhookMessage } from '../messages.ts'
import { signatureHeaders } from '../signature.ts'
import { contentTypeOf, renderTemplate } from '../templates.ts'
import { discordRequest } from './discord.ts'
import { googleChatRequest } from './google-chat.ts'
import { incidentIoRequest } from './incident-io.ts'
import { matrixRequest } from './matrix.ts'
import { mattermostRequest } from './mattermost.ts'
import { ntfyRequest } from './ntfy.ts'
import { onCallRequest } from './oncall.ts'
import { opsgenieRequest } from './opsgenie.ts'
import { pagerdutyRequest } from './pagerduty.ts'
import { pushoverRequest } from './pushover.ts'
import type { Preset, PresetRequest } from './request.ts'
import { slackRequest } from './slack.ts'
import { teamsRequest } from './teams.ts'
import { telegramRequest } from './telegram.ts'
import { twilioRequest } from './twilio.ts'

/** How each service is notified, by the name of its preset. */
export const PRESET_REQUESTS: Record<string, Preset> = {
  slack: slackRequest,
  teams: teamsRequest,
  discord: discordRequest,
  pagerduty: pagerdutyRequest,
  opsgenie: opsgenieRequest,
  telegram: telegramRequest,
  googlechat: googleChatRequest,
  mattermost: mattermostRequest,
  ntfy: ntfyRequest,
  pushover: pushoverRequest,
  matrix: matrixRequest,
  twilio: twilioRequest,
  incidentio: incidentIoRequest,
  oncall: onCallRequest,
}

/** The configuration of a webhook that decides its requests. */
export type RequestSource = { preset: string; method: string; config: WebhookConfig }

/**
 * Returns the request of one attempt. Without a preset, it is the message or its template, signed by Standard Webhooks
 * with the secrets that are valid at this time.
 *
 * @throws MessageTooLongError
 */
export function requestOf(
  { preset, method, config }: RequestSource,
  message: WebhookMessage,
  attempt: { id: string; at: Date; secrets: string[]; transactionId?: string },
): PresetRequest {
  const request = Object.hasOwn(PRESET_REQUESTS, preset) ? PRESET_REQUESTS[preset] : undefined
  if (request) return withAgent(request(message, config, attempt.transactionId ?? attempt.id))
  const contentType = contentTypeOf(config.headers)
  const body = config.body === null ? JSON.stringify(message) : renderTemplate(config.body, contentType, message)
  const own = Object.entries(config.headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return withAgent({
    method: method as PresetRequest['method'],
    url: config.url,
    headers: [
      ['Content-Type', contentType],
      ...own,
      ...signatureHeaders(attempt.secrets, attempt.id, attempt.at, body),
    ],
    body,
  })
}

function withAgent(request: PresetRequest): PresetRequest {
  if (request.headers.some(([name]) => name.toLowerCase() === 'user-agent')) return request
  return { ...request, headers: [...request.headers, ['User-Agent', 'Soundline']] }
}
