import { useMutation, useQuery } from '@tanstack/react-query'
import type { Incident } from '#server/schemas/alerts/incidents.ts'
import { mutation, query } from '../../../client/api.ts'
import { notify } from '../../../client/notify.ts'
import { capitalized, problemOf } from '../../../client/problem.ts'
import { SelectField } from '../../../components/inputs/select-field.tsx'
import { Fact } from '../../../components/layout/facts.tsx'
import { SeverityBadge } from '../../../components/runs/severity-badge.tsx'

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const

type Props = { incident: Incident; mayWrite: boolean }

/** Who takes care of an incident, and how severe it is. Members with write access change both. */
export function Handling(props: Props) {
  return (
    <>
      <Fact title="Assignee">
        {props.mayWrite ? <AssigneeField incident={props.incident} /> : (props.incident.assignee?.name ?? 'No one')}
      </Fact>
      <Fact title="Severity">
        {props.mayWrite ? <SeverityField incident={props.incident} /> : <SeverityText incident={props.incident} />}
      </Fact>
    </>
  )
}

function AssigneeField({ incident: { id, assignee } }: { incident: Incident }) {
  const assignees = useQuery({ ...query('incidents.assignees', { id }), staleTime: 60_000 })
  const update = useUpdate()
  const listed = (assignees.data ?? []).map(({ orgUserId, name, isCaller }) => ({
    value: orgUserId,
    label: isCaller ? `${name} (you)` : name,
  }))
  // The assignee can have lost access, or the list is being loaded.
  const isListed = assignee === null || listed.some(({ value }) => value === assignee.orgUserId)
  const present = isListed ? [] : [{ value: assignee.orgUserId, label: assignee.name }]
  return (
    <SelectField
      aria-label="Assignee"
      options={[{ value: '', label: 'No one' }, ...present, ...listed]}
      value={assignee?.orgUserId ?? ''}
      disabled={update.isPending}
      onChange={(event) => update.mutate({ id, assigneeId: event.currentTarget.value || null })}
    />
  )
}

function SeverityField({ incident: { id, severity, severitySource } }: { incident: Incident }) {
  const update = useUpdate()
  const unset = severitySource === 'label' && severity ? `${capitalized(severity)} (label)` : 'From the label, or none'
  return (
    <SelectField
      aria-label="Severity"
      options={[
        { value: '', label: unset },
        ...SEVERITIES.map((value) => ({ value: String(value), label: capitalized(value) })),
      ]}
      value={severitySource === 'member' ? (severity ?? '') : ''}
      disabled={update.isPending}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        update.mutate({ id, severity: SEVERITIES.find((each) => each === chosen) ?? null })
      }}
    />
  )
}

function SeverityText({ incident: { severity } }: { incident: Incident }) {
  return severity === null ? 'None' : <SeverityBadge severity={severity} />
}

function useUpdate() {
  return useMutation({
    ...mutation('incidents.update'),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
}
