import type { WebhookConfig } from '../config.ts'
import type { WebhookMessage } from '../messages.ts'

/** The request that notifies a service. Header names are in the order they are sent. */
export type PresetRequest = {
  method: 'POST' | 'PUT' | 'PATCH'
  url: string
  headers: [name: string, value: string][]
  body: string
}

/**
 * Converts a message to the request of one service. `transactionId` is the same for all attempts until the message is
 * delivered. Pure: it reads only its arguments.
 */
export type Preset = (message: WebhookMessage, config: WebhookConfig, transactionId: string) => PresetRequest

export function postJson(url: string, body: unknown, headers: [string, string][] = []): PresetRequest {
  return {
    method: 'POST',
    url,
    headers: [['Content-Type', 'application/json'], ...headers],
    body: JSON.stringify(body),
  }
}

export function postForm(url: string, fields: Record<string, string>, headers: [string, string][] = []): PresetRequest {
  return {
    method: 'POST',
    url,
    headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...headers],
    body: new URLSearchParams(fields).toString(),
  }
}

export function bearer(token: string | undefined): [string, string] {
  return ['Authorization', `Bearer ${token}`]
}

/** Returns the URL of a path of a service's API: at the given address, such as that of a proxy, or the service's own. */
export function apiUrl(address: string, own: string, path: string): string {
  return `${(address || own).replace(/\/+$/, '')}${path}`
}
