import { z } from 'zod'
import { WebhookCreate, WebhookHeaders } from '#server/schemas/organization/webhooks.ts'

/** A webhook while it is being written: headers are lines of `Name: value`, and what is left empty is none. */
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
    if (!headers) return check.addIssue({ code: 'custom', message: 'Write each as Name: value on a line of its own' })
    const { error } = WebhookHeaders.safeParse(headers)
    if (error) check.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'Not valid' })
  }),
})

/** What the operation takes. The headers have been checked with `WebhookForm`. */
export function webhookInput({ name, label, url, method, headers, body }: WebhookValues) {
  return { name, label: label.trim() || null, url, method, headers: readHeaders(headers) ?? {}, body: body || null }
}

export function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Null when a line is no header. */
function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (pairs.some((pair) => pair === null)) return null
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]))
}
