'use client'

import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import type { ServicePlaces } from '#server/schemas/new-service/places.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import { useMe } from '../../../client/me.tsx'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { LabelsInput, labelsError } from '../../../components/forms/labels-input.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { SchedulePicker } from '../../../components/schedules/schedule-picker.tsx'
import { AgentsField } from './agents-field.tsx'
import { AlertFields } from './alert-fields.tsx'
import { rememberProject } from './last-project.ts'
import { PlaceFields } from './place-fields.tsx'
import { initialPlace, toPlace } from './place-values.ts'
import { RequestSection } from './request-section.tsx'
import { nameOfSteps } from './suggested-name.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useRequest } from './use-request.ts'

export function NewServiceForm({ places, projectId }: { places: ServicePlaces; projectId: string | null }) {
  const router = useRouter()
  const { organization } = useMe()
  const request = useRequest()
  const [proposedName, setProposedName] = useState('')
  const [isRestored, setRestored] = useState(false)
  /** The page that opens when the service is created. */
  const next = useRef<'overview' | 'script'>('overview')
  const { form, ...operation } = useOperationForm({
    path: 'services.createWhole',
    schema: NewServiceFields,
    initialValues: {
      name: '',
      labels: [],
      schedule: SCHEDULE_DEFAULT,
      timezone: '',
      agents: [],
      confirmFailures: 1,
      rechecks: true,
      ...initialPlace(places, projectId, organization.name),
    } as NewServiceFields,
    toInput: ({ name, labels, schedule, timezone, agents, confirmFailures, rechecks, ...place }) => ({
      place: toPlace(place),
      name,
      labels,
      schedule,
      timezone: timezone || null,
      ...(agents.length > 0 && { agents }),
      // Without a URL, the member writes the whole script in the editor.
      ...(request.isEmpty ? {} : { script: request.steps.script, secrets: request.usedSecrets }),
      alerting: { ...(confirmFailures !== 1 && { confirmFailures }), ...(!rechecks && { recheckSeconds: 0 }) },
    }),
    onDone: (service) => {
      forget()
      rememberProject(service.projectId)
      router.push(`/services/${service.id}${next.current === 'script' ? '/script' : ''}`)
    },
  })
  const { steps, blocked, script } = request.steps
  const kept = { steps, text: blocked ? script : null, values: form.values, secrets: request.secrets }
  const forget = useKeptDraft(request.isEmpty ? null : kept, (draft) => {
    request.restore(draft)
    form.setValues(draft.values)
    setProposedName(draft.values.name ?? '')
    setRestored(true)
  })
  const proposeName = () => {
    if (form.values.name !== '' && form.values.name !== proposedName) return
    const name = nameOfSteps(steps)
    form.setFieldValue('name', name)
    setProposedName(name)
  }
  const test = () => {
    proposeName()
    request.test()
  }
  const create = (opens: 'overview' | 'script') => {
    next.current = opens
    if (form.values.name === '') proposeName()
  }

  return (
    <form
      onSubmit={(event) => {
        const isReady = request.check({ mayBeEmpty: next.current === 'script' })
        if (isReady) operation.submit(event)
        else event.preventDefault()
      }}
      noValidate
    >
      <Stack maw={1240}>
        {isRestored && (
          <Group gap="xs">
            <Text size="sm">This is what you had entered before.</Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                request.clear()
                form.reset()
                setRestored(false)
              }}
            >
              Start anew
            </Button>
          </Group>
        )}
        <RequestSection request={request} onTest={test} />
        <Section title="When and where it runs">
          <SchedulePicker {...form.getInputProps('schedule')} timezone={form.getInputProps('timezone')} />
          <AgentsField {...form.getInputProps('agents')} />
        </Section>
        <Section title="Alerts">
          <AlertFields form={form} />
        </Section>
        <Section title="Name and place">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NameInput {...form.getInputProps('name')} />
            <LabelsInput
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('labels')}
              error={labelsError(form.errors)}
            />
          </SimpleGrid>
          <PlaceFields form={form} places={places} />
        </Section>
        <ProblemAlert error={operation.error} />
        <Group>
          <Button type="submit" loading={operation.isPending} onClick={() => create('overview')}>
            Create service
          </Button>
          <Button type="submit" variant="default" disabled={operation.isPending} onClick={() => create('script')}>
            Create and edit the script
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
