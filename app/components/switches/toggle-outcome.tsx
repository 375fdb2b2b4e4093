'use client'

import { List, Text } from '@mantine/core'
import type { BulkResult, ServiceOutcome } from '#server/schemas/bulk.ts'
import type { ToggleResult } from '#server/schemas/toggles.ts'

/** Why a service was skipped, by error code. The lines have no details, with which the messages of errors are whole. */
const REASONS: Record<string, string> = {
  already_exists: 'this project already has a service with this name.',
  script_missing: 'it has no script yet.',
  not_found: 'it is gone, or you cannot see it.',
  insufficient_permissions: 'you may not change it.',
  label_limit_reached: 'it would have more than ten labels.',
  changed_since: 'it was changed since.',
  field_invalid: 'its script has errors. Switch it on individually to see them.',
  blocked_probe_target: 'its script targets a blocked address.',
  unverified_domain_call_limit: 'its script makes more than three calls and targets an unverified domain.',
  unverified_domain_includes: 'its script uses an includes check and targets an unverified domain.',
  unverified_domain_interval: 'its script targets an unverified domain more often than every five minutes.',
}

/** What changed in a workspace or project, with the services that were skipped. `done` names the change. */
export function ToggleOutcome({ result, done }: { result: ToggleResult; done: string }) {
  const lines = result.skipped.map((service) => ({ ...service, text: reasonText(service.reason) }))
  return <Outcome {...result} skipped={result.skippedTotal} done={done} lines={lines} />
}

const ORDER: ServiceOutcome['outcome'][] = ['skipped', 'changed', 'unchanged']

/** What a bulk change did to each selected service, the skipped ones first. `done` names the change, such as `moved`. */
export function BulkOutcome({ result, done }: { result: BulkResult; done: string }) {
  const [skipped = [], changed = [], unchanged = []] = ORDER.map((wanted) =>
    result.services.filter(({ outcome }) => outcome === wanted),
  )
  const lines = [...skipped, ...changed, ...unchanged].map((service) => ({
    ...service,
    text: service.reason ? reasonText(service.reason) : service.outcome === 'changed' ? `${done}.` : 'unchanged.',
  }))
  const counts = { changed: changed.length, unchanged: unchanged.length, skipped: skipped.length }
  return <Outcome {...counts} done={done} lines={lines} />
}

function Outcome(props: {
  changed: number
  unchanged: number
  skipped: number
  done: string
  lines: { serviceId: string; name: string; text: string }[]
}) {
  return (
    <>
      <Text size="sm">
        {props.changed} {props.done}, {props.unchanged} unchanged
        {props.skipped > 0 && `, ${props.skipped} skipped`}.
      </Text>
      {props.lines.length > 0 && (
        <List size="sm" style={{ overflowWrap: 'anywhere' }}>
          {props.lines.map(({ serviceId, name, text }) => (
            <List.Item key={serviceId}>
              <strong>{name}</strong>: {text}
            </List.Item>
          ))}
        </List>
      )}
    </>
  )
}

function reasonText(reason: string): string {
  return REASONS[reason] ?? `the server rejected it (${reason}).`
}
