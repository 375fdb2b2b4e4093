import { z } from 'zod'
import { WebhookCreate, WebhookHeaders } from '#server/schemas/organization/webhooks.ts'

/** The values of the webhook form. Headers are lines of `Name: value`. An empty label or body means none. */
export type WebhookValues = {
  name: string
  label: string
  url: string
  method: 'POST' | 'PUT' | 'PATCH'
  headers: string
  body: string
}

export const NEW_WEBHOOK: WebhookValues = { name: '', label: '', url: '', method: 'POST', headers: '', body: '' }

export const WebhookForm = WebhookCreate.extend({
  headers: z.string().superRefine((text, check) => {
    const headers = readHeaders(text)
    if (!headers) return check.addIssue({ code: 'custom', message: 'Write one header per line, as Name: value' })
    const { error } = WebhookHeaders.safeParse(headers)
    if (error) check.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'Invalid value' })
  }),
})

/** Returns the input of the operation. `WebhookForm` must have validated the headers. */
export function webhookInput({ name, label, url, method, headers, body }: WebhookValues) {
  return { name, label: label.trim() || null, url, method, headers: readHeaders(headers) ?? {}, body: body || null }
}

export function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Parses the header lines. Returns null if a line is not a header. */
function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (pairs.some((pair) => pair === null)) return null
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]))
}
