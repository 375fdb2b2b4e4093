'use client'

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation, type Output } from '../../client/api.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { causeParts } from '../../components/status/cause-parts.ts'
import type { FoundIncident } from './incident-row.tsx'

type Result = Output<'incidents.acknowledgeMany'>['incidents']

/** Says what acknowledging the selected incidents will do, then what it did, and takes it back. */
export function AcknowledgeDialog(props: { incidents: FoundIncident[]; onClose: () => void; onDone: () => void }) {
  const { incidents } = props
  const acknowledge = useMutation(mutation('incidents.acknowledgeMany'))
  const undo = useMutation(mutation('incidents.unacknowledgeMany'))
  const result = acknowledge.data?.incidents
  const changed = (result ?? []).filter(({ outcome }) => outcome === 'acknowledged').map((one) => one.incidentId)
  return (
    <Modal
      opened
      onClose={result ? props.onDone : props.onClose}
      title={incidents.length === 1 ? 'Acknowledge 1 incident' : `Acknowledge ${incidents.length} incidents`}
      centered
    >
      <Stack>
        {result ? (
          <Outcome incidents={incidents} result={result} isUndone={undo.isSuccess} />
        ) : (
          <>
            <Text size="sm">
              Their reminders stop, and everyone who can see them reads that you look into them. They stay open until
              the services recover.
            </Text>
            <IncidentNames incidents={incidents} label="Selected incidents" />
          </>
        )}
        <ProblemAlert error={acknowledge.error ?? undo.error} />
        <Group justify="flex-end">
          {result ? (
            <>
              {changed.length > 0 && !undo.isSuccess && (
                <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ ids: changed })}>
                  Undo
                </Button>
              )}
              <Button onClick={props.onDone}>Done</Button>
            </>
          ) : (
            <>
              <Button variant="default" onClick={props.onClose}>
                Cancel
              </Button>
              <Button
                data-autofocus
                loading={acknowledge.isPending}
                onClick={() => acknowledge.mutate({ ids: incidents.map(({ id }) => id) })}
              >
                Acknowledge
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function Outcome({ incidents, result, isUndone }: { incidents: FoundIncident[]; result: Result; isUndone: boolean }) {
  const of = (outcome: string) =>
    incidents.filter(({ id }) => result.some((one) => one.incidentId === id && one.outcome === outcome))
  const [before, missing] = [of('unchanged'), of('not_found')]
  return (
    <>
      <Text size="sm" role="status">
        {isUndone
          ? 'The acknowledgements were taken back.'
          : `${of('acknowledged').length} of ${incidents.length} incidents acknowledged.`}
      </Text>
      {before.length > 0 && <IncidentNames incidents={before} label="Acknowledged before" isTitled />}
      {missing.length > 0 && <IncidentNames incidents={missing} label="Not yours to change, or deleted" isTitled />}
    </>
  )
}

function IncidentNames(props: { incidents: FoundIncident[]; label: string; isTitled?: boolean }) {
  return (
    <div>
      {props.isTitled && (
        <Text size="sm" fw={600}>
          {props.label}
        </Text>
      )}
      <Text component="ul" size="sm" m={0} pl="lg" aria-label={props.label} style={{ overflowWrap: 'anywhere' }}>
        {props.incidents.map(({ id, serviceName, summary }) => (
          <li key={id}>
            {serviceName}: {causeParts(summary).reason}
          </li>
        ))}
      </Text>
    </div>
  )
}
