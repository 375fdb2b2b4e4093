import type { HeardThrough } from '#server/schemas/alerts/messages.ts'

/** Returns a reason why a recipient is notified, such as `the group DevOps on workspace Shop`. */
export function throughText({ kind, group, resourceType, resourceName }: HeardThrough): string {
  const resource = resourceType === 'organization' ? 'the whole organization' : `${resourceType} ${resourceName}`
  switch (kind) {
    case 'grant':
      return `a grant on ${resource}`
    case 'group':
      return `${group === null ? 'a group' : `the group ${group}`} on ${resource}`
    case 'follow':
      return `following ${resource}`
    case 'binding':
      return `a binding on ${resource}`
    case 'section':
      return 'the permission to change settings'
    case 'owner':
      return 'ownership of the organization, because no one else is notified'
    default:
      return kind
  }
}

/** Returns all reasons as the end of a sentence, such as `through a grant on service Pay and following project Shop`. */
export function throughAllText(heardThrough: readonly HeardThrough[]): string {
  return `through ${list.format(heardThrough.map(throughText))}`
}

type Webhook = { name: string; receiver: string | null }

/** Returns webhooks with their services, such as `#ops in Slack and Pager in PagerDuty`. */
export function webhooksText(webhooks: readonly Webhook[]): string {
  return list.format(webhooks.map(({ name, receiver }) => (receiver === null ? name : `${name} in ${receiver}`)))
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })
