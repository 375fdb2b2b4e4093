import type { ServiceAlerting } from '#server/schemas/alerts/alerting.ts'

/** More names would make the line long; the tab Alerts lists all. */
const NAMES_MAX = 2

type Alerting = Pick<ServiceAlerting, 'recipients' | 'recipientsTotal' | 'webhooks' | 'webhooksTotal'>

/** Returns who would be notified, such as `You, Ana Lima, 3 more members, and 2 webhooks`; null for nobody. */
export function hearersText(alerting: Alerting, ownEmail: string): string | null {
  const { recipients, recipientsTotal, webhooks, webhooksTotal } = alerting
  const named = recipients.slice(0, NAMES_MAX)
  const names = named.map(({ name, email }) => (email === ownEmail ? 'You' : (name ?? 'A member')))
  const unnamed = countText(recipientsTotal - named.length, names.length === 0 ? 'member' : 'more member')
  const enabled = webhooks?.filter((webhook) => webhook.enabled)
  const isWhole = webhooks?.length === webhooksTotal
  const bound = countText(enabled && isWhole ? enabled.length : webhooksTotal, 'webhook')
  const only = isWhole && enabled?.length === 1 ? enabled[0]?.name : undefined
  const all = [...names, ...unnamed, ...(only === undefined ? bound : [`the webhook ${only}`])]
  return all.length === 0 ? null : list.format(all)
}

/** Returns `[]` for none. */
function countText(count: number, what: string): string[] {
  return count <= 0 ? [] : [`${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`]
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })
