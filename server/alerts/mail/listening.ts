import type { HeardThrough } from '#db/schema/alerts.ts'
import { unlinked } from './text.ts'

/** A digest of many services can have many reasons. */
const REASONS_MAX = 4

/** Returns why a member gets a mail, in one sentence. */
export function listeningText(heardThrough: readonly HeardThrough[], about: 'service' | 'agent'): string {
  const reasons = [...new Set(heardThrough.map(reasonText))]
  if (reasons.length === 0) return `You receive this because you have access to this ${about}.`
  const more = reasons.length - REASONS_MAX
  const named = more > 0 ? [...reasons.slice(0, REASONS_MAX), `${more} more`] : reasons
  return `You receive this because ${inWords(named)}.`
}

function reasonText({ kind, group, resourceType, resourceName }: HeardThrough): string {
  const resource = `the ${resourceType} ${unlinked(resourceName ?? '')}`
  switch (kind) {
    case 'grant':
      return `you have a grant on ${resource}`
    case 'group':
      return `your group ${unlinked(group ?? '')} has a grant on ${resource}`
    case 'follow':
      return `you follow ${resource}`
    case 'section':
      return 'you can change the settings of the organization'
    case 'owner':
      return 'you own the organization and no one else is notified about this service'
    case 'binding':
      return `a webhook is bound to ${resource}`
  }
}

/** Returns `a`, `a and b`, or `a, b and c`. */
function inWords(parts: string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last
}
