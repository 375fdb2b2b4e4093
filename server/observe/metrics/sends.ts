import { boundedLabel } from './bounded-label.ts'
import { processSeries } from './series.ts'

const channelLabel = boundedLabel('channel', 50)

/** Observes an attempt to send a message to a webhook. `channel` is its preset. */
export function observeDelivery(channel: string, outcome: 'delivered' | 'refused' | 'failed', seconds: number): void {
  const series = processSeries()
  series.deliveries.inc({ channel: channelLabel(channel), outcome })
  series.deliveryDuration.observe({ channel: channelLabel(channel) }, seconds)
}

/** Observes an attempt to send a mail. `started` is by `performance.now()`. */
export function observeMail(outcome: 'sent' | 'refused' | 'failed', started: number): void {
  const series = processSeries()
  series.mails.inc({ outcome })
  series.mailDuration.observe((performance.now() - started) / 1_000)
}

/** Counts a failed read or write of a body. */
export function countBodyStoreError(operation: 'read' | 'write'): void {
  processSeries().bodyStoreErrors.inc({ operation })
}
