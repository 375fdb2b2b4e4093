import { z } from 'zod'
import type { WebhookConfig } from '#server/alerts/webhooks/config.ts'
import type { PresetRequest } from '#server/alerts/webhooks/presets/request.ts'

// Services that receive alerts, as strict as their published formats: what is unknown, too long or not authorized is
// refused with the service's own answer.

export type Answer = { status: number; body: unknown }

export type AlertService = {
  /** The configuration of a webhook to the service at this address. */
  config: (address: string) => Partial<WebhookConfig>
  /** The same with a key that the service does not know. */
  wrong: (address: string) => Partial<WebhookConfig>
  /** What must not appear in the delivery log. */
  secret: string
  answer: (request: Pick<PresetRequest, 'method' | 'url' | 'headers' | 'body'>) => Answer
  /** What the delivery log says of the answer to `wrong`. */
  refusal: string
}

type Request = Parameters<AlertService['answer']>[0]

const text = (max = 100_000) => z.string().min(1).max(max)
const Url = z.url()

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

function header({ headers }: Request, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** Answers 400 with the reasons unless the request has this method, type and body. */
function checked(request: Request, type: string, schema: z.ZodType, accepted: Answer, method = 'POST'): Answer {
  if (request.method !== method) return { status: 405, body: `${request.method} is not ${method}` }
  if (header(request, 'content-type') !== type) return { status: 415, body: header(request, 'content-type') }
  const body = type === FORM_TYPE ? Object.fromEntries(new URLSearchParams(request.body)) : JSON.parse(request.body)
  const { error } = schema.safeParse(body)
  return error ? { status: 400, body: z.prettifyError(error) } : accepted
}

const within = (max: number) => (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= max

const Widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: text() }) }),
  z.strictObject({
    decoratedText: z.strictObject({ topLabel: text(), text: text(), wrapText: z.boolean().optional() }),
  }),
  z.strictObject({
    buttonList: z.strictObject({
      buttons: z
        .array(z.strictObject({ text: text(), onClick: z.strictObject({ openLink: z.strictObject({ url: Url }) }) }))
        .min(1),
    }),
  }),
])

const googlechat: AlertService = {
  config: (address) => ({ url: `${address}/v1/spaces/AAA/messages?key=chat-key-012345&token=chat-token-98765` }),
  wrong: (address) => ({ url: `${address}/v1/spaces/AAA/messages?key=chat-key-wrong-1&token=chat-token-98765` }),
  secret: 'chat-token-98765',
  refusal: 'the receiver responded with status 400: the key or token in the URL is wrong',
  answer: (request) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x')
    if (pathname !== '/v1/spaces/AAA/messages') return { status: 404, body: '' }
    if (searchParams.get('key') !== 'chat-key-012345') {
      const message = 'API key not valid. Please pass a valid API key.'
      return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
    }
    if (searchParams.get('messageReplyOption') !== 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
      return { status: 400, body: 'no thread' }
    const Message = z
      .strictObject({
        fallbackText: text(),
        thread: z.strictObject({ threadKey: text(4_000) }),
        cardsV2: z.tuple([
          z.strictObject({
            cardId: text(),
            card: z.strictObject({ sections: z.tuple([z.strictObject({ widgets: z.array(Widget).min(1).max(100) })]) }),
          }),
        ]),
      })
      .refine(within(32_000), 'too large')
    return checked(request, JSON_TYPE, Message, { status: 200, body: { name: 'spaces/AAA/messages/1' } })
  },
}

const mattermost: AlertService = {
  config: (address) => ({ url: `${address}/hooks/mattermosthook0123456789` }),
  wrong: (address) => ({ url: `${address}/hooks/anotherhook0123456789wrong` }),
  secret: 'mattermosthook0123456789',
  refusal: 'the receiver responded with status 400: the webhook URL is wrong, or the webhook was removed',
  answer: (request) => {
    if (new URL(request.url, 'http://x').pathname !== '/hooks/mattermosthook0123456789') {
      const id = 'web.incoming_webhook.invalid.app_error'
      return { status: 400, body: { id, message: 'Invalid webhook', status_code: 400 } }
    }
    const Attachment = z.strictObject({
      fallback: text(),
      color: z.string().regex(/^#[0-9a-f]{6}$/),
      title: text(),
      title_link: Url.optional(),
      text: text(),
      fields: z.array(z.strictObject({ short: z.boolean(), title: text(), value: text() })),
      footer: text(300),
      ts: z.int(),
    })
    const Message = z
      .strictObject({ attachments: z.array(Attachment).length(1) })
      .refine(({ attachments }) => [...JSON.stringify(attachments)].length <= 7_600, 'too long')
    return checked(request, JSON_TYPE, Message, { status: 200, body: 'ok' })
  },
}

const ntfy: AlertService = {
  config: (url) => ({ url, access: { topic: 'shop-alerts-x7', token: 'tk_abcdefghijklmnopqrstuvwxyz012' } }),
  wrong: (url) => ({ url, access: { topic: 'shop-alerts-x7', token: 'tk_wrongwrongwrongwrongwrongwron' } }),
  secret: 'tk_abcdefghijklmnopqrstuvwxyz012',
  refusal: 'the receiver responded with status 401: the access token is wrong',
  answer: (request) => {
    if (new URL(request.url, 'http://x').pathname !== '/') return { status: 404, body: '' }
    if (header(request, 'authorization') !== 'Bearer tk_abcdefghijklmnopqrstuvwxyz012')
      return { status: 401, body: { code: 40101, http: 401, error: 'unauthorized' } }
    const Message = z.strictObject({
      topic: z.literal('shop-alerts-x7'),
      title: text(),
      message: text().refine((message) => Buffer.byteLength(message) <= 4_096, 'becomes a file'),
      priority: z.int().min(1).max(5),
      tags: z.array(z.string().regex(/^[a-z_]+$/)),
      click: Url.optional(),
      actions: z
        .array(z.strictObject({ action: z.literal('view'), label: text(), url: Url }))
        .max(3)
        .optional(),
    })
    return checked(request, JSON_TYPE, Message.refine(within(8_192), 'too large'), { status: 200, body: { id: 'x' } })
  },
}

const pushover: AlertService = {
  config: (url) => ({ url, access: { token: 'apptoken'.padEnd(30, '0'), userKey: 'userkey'.padEnd(30, '1') } }),
  wrong: (url) => ({ url, access: { token: 'wrongtoken'.padEnd(30, '0'), userKey: 'userkey'.padEnd(30, '1') } }),
  secret: 'apptoken'.padEnd(30, '0'),
  refusal: 'the receiver responded with status 400: the application token is wrong',
  answer: (request) => {
    const { pathname } = new URL(request.url, 'http://x')
    const isCancel = /^\/1\/receipts\/cancel_by_tag\/[\w-]+\.json$/.test(pathname)
    if (pathname !== '/1/messages.json' && !isCancel) return { status: 404, body: '' }
    const form = new URLSearchParams(request.body)
    if (form.get('token') !== 'apptoken'.padEnd(30, '0'))
      return { status: 400, body: { token: 'invalid', errors: ['application token is invalid'], status: 0 } }
    if (isCancel) {
      const Cancel = z.strictObject({ token: text() })
      return checked(request, FORM_TYPE, Cancel, { status: 200, body: { status: 1, canceled: 1, request: 'x' } })
    }
    const fields = {
      token: text(),
      user: z.literal('userkey'.padEnd(30, '1')),
      title: z.string().max(250),
      message: text(1_024),
      timestamp: z.string().regex(/^\d+$/),
      url: z.url().max(512).optional(),
      url_title: z.string().max(100).optional(),
    }
    const Message = z.union([
      z.strictObject({ ...fields, priority: z.enum(['-2', '-1', '0', '1']) }),
      z.strictObject({
        ...fields,
        priority: z.literal('2'),
        retry: z.coerce.number().int().min(30),
        expire: z.coerce.number().int().max(10_800),
        tags: text(),
      }),
    ])
    return checked(request, FORM_TYPE, Message, { status: 200, body: { status: 1, request: 'x' } })
  },
}

const ROOM = '!Room:example.org'
const matrix: AlertService = {
  config: (url) => ({ url, access: { roomId: ROOM, token: 'syt_matrix_token_0123456789' } }),
  wrong: (url) => ({ url, access: { roomId: ROOM, token: 'syt_wrong_token_0123456789' } }),
  secret: 'syt_matrix_token_0123456789',
  refusal: 'the receiver responded with status 401: the access token is wrong or has expired',
  answer: (request) => {
    const { pathname } = new URL(request.url, 'http://x')
    const prefix = `/_matrix/client/v3/rooms/${encodeURIComponent(ROOM)}/send/m.room.message/`
    if (!pathname.startsWith(prefix) || !/^[\w.-]+$/.test(pathname.slice(prefix.length)))
      return { status: 404, body: { errcode: 'M_UNRECOGNIZED' } }
    if (header(request, 'authorization') !== 'Bearer syt_matrix_token_0123456789')
      return { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Invalid access token passed.' } }
    const Event = z
      .strictObject({
        msgtype: z.literal('m.text'),
        body: text(),
        format: z.literal('org.matrix.custom.html'),
        formatted_body: text(),
        'm.mentions': z.strictObject({}),
      })
      .refine(within(65_000), 'too large')
    return checked(request, JSON_TYPE, Event, { status: 200, body: { event_id: '$1' } }, 'PUT')
  },
}

const SID = `AC${'0'.repeat(32)}`
const twilioAccess = (token: string) => ({ accountSid: SID, token, from: '+15005550006', to: '+4915112345678' })
/** The basic alphabet of GSM-7 without letters of other languages, and its extended characters. */
const GSM = /^[\n\r A-Za-z0-9@£$¥_!"#¤%&'()*+,\-./:;<=>?¡¿§]$/
const GSM_EXTENDED = /^[\^{}\\[\]~|€]$/
const placesOf = (body: string) =>
  [...body].reduce((sum, one) => sum + (GSM_EXTENDED.test(one) ? 2 : GSM.test(one) ? 1 : Number.NaN), 0)

const twilio: AlertService = {
  config: (url) => ({ url, access: twilioAccess('twilio-auth-token-0123') }),
  wrong: (url) => ({ url, access: twilioAccess('twilio-wrong-token-0123') }),
  secret: 'twilio-auth-token-0123',
  refusal: 'the receiver responded with status 401: the account SID or the auth token is wrong',
  answer: (request) => {
    if (new URL(request.url, 'http://x').pathname !== `/2010-04-01/Accounts/${SID}/Messages.json`)
      return { status: 404, body: { code: 20404, status: 404 } }
    const given = Buffer.from(header(request, 'authorization')?.replace(/^Basic /, '') ?? '', 'base64').toString()
    if (given !== `${SID}:twilio-auth-token-0123`)
      return { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } }
    const Message = z.strictObject({
      To: z.literal('+4915112345678'),
      From: z.literal('+15005550006'),
      // One SMS: 160 places, where the alphabet has every character.
      Body: text(160).refine((body) => !(placesOf(body) > 160), 'more than one SMS'),
    })
    return checked(request, FORM_TYPE, Message, { status: 201, body: { sid: 'SM1', status: 'queued' } })
  },
}

const incidentio: AlertService = {
  config: (address) => ({
    url: `${address}/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66`,
    access: { token: 'incident-io-token-0123' },
  }),
  wrong: (address) => ({
    url: `${address}/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66`,
    access: { token: 'incident-io-wrong-0123' },
  }),
  secret: 'incident-io-token-0123',
  refusal: 'the receiver responded with status 401: the token is wrong, or is not of this alert source',
  answer: (request) => {
    if (new URL(request.url, 'http://x').pathname !== '/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66')
      return { status: 404, body: { type: 'not_found' } }
    if (header(request, 'authorization') !== 'Bearer incident-io-token-0123')
      return { status: 401, body: { type: 'authentication_error', status: 401 } }
    const Event = z.strictObject({
      title: text(),
      description: text(),
      deduplication_key: text(),
      status: z.enum(['firing', 'resolved']),
      source_url: Url.optional(),
      metadata: z.record(z.string().regex(/^[a-z_]+$/), z.string()),
    })
    return checked(request, JSON_TYPE, Event, { status: 202, body: { status: 'success', message: 'Event accepted' } })
  },
}

const oncall: AlertService = {
  config: (address) => ({ url: `${address}/integrations/v1/formatted_webhook/OnCallToken0123456789/` }),
  wrong: (address) => ({ url: `${address}/integrations/v1/formatted_webhook/OnCallWrong0123456789/` }),
  secret: 'OnCallToken0123456789',
  refusal: 'the receiver responded with status 403: the URL is wrong, or the integration was removed in Grafana',
  answer: (request) => {
    if (!new URL(request.url, 'http://x').pathname.endsWith('/OnCallToken0123456789/')) return { status: 403, body: '' }
    const Alert = z.strictObject({
      alert_uid: text(),
      title: text(),
      state: z.enum(['alerting', 'ok']),
      link_to_upstream_details: Url.optional(),
      message: text(),
    })
    return checked(request, JSON_TYPE, Alert, { status: 200, body: 'Ok.' })
  },
}

export const ALERT_SERVICES = { googlechat, mattermost, ntfy, pushover, matrix, twilio, incidentio, oncall }
