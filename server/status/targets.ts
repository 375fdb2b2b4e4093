import { type SQL, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import type { ServiceTarget } from '../schemas/status/board.ts'

// What a service monitors: the first call of its script, and how many it makes.

/** What `targetOf` reads of a service. */
export type TargetColumns = { call: string | null; steps: number; targetHosts: string[] }

export const TARGET_COLUMNS: SQL = sql`${services.calls}[1] as call, cardinality(${services.calls}) as steps,
  ${services.targetHosts} as "targetHosts"`

/** A scheme and an authority, or a variable that stands for them. */
const ORIGIN = /^(?:https?:\/\/[^/?#]*|\$\{[^}]*\}|\$\$?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)/i

/** Returns the target of a service; null without a script. The host of a URL with variables is known if all calls have it. */
export function targetOf({ call, steps, targetHosts }: TargetColumns): ServiceTarget | null {
  if (call === null) return null
  const space = call.indexOf(' ')
  const [method, url] = [call.slice(0, space), call.slice(space + 1)]
  const path = url.replace(ORIGIN, '').split(/[?#]/, 1)[0] as string
  return { method, url, host: writtenHost(url) ?? onlyOne(targetHosts), path: path || '/', steps }
}

/** Returns the host of a URL without variables before its path, else null. */
function writtenHost(url: string): string | null {
  const origin = ORIGIN.exec(url)?.[0] ?? ''
  if (origin.includes('$') || !URL.canParse(origin)) return null
  return new URL(origin).hostname
}

function onlyOne(hosts: string[]): string | null {
  return hosts.length === 1 ? (hosts[0] as string) : null
}
