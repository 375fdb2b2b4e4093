import { createHmac } from 'node:crypto'

/** Returns the three headers of Standard Webhooks, with one signature per secret. `at` is the time of the attempt. */
export function signatureHeaders(secrets: string[], id: string, at: Date, body: string): [string, string][] {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ]
}
