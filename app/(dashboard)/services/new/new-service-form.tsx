'use client'

import { Button, Group, Stack, Text } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { NAME_MAX } from '#server/schemas/conventions.ts'
import { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import type { ServicePlaces } from '#server/schemas/new-service/places.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import { useMe } from '../../../client/me.tsx'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { LabelInput } from '../../../components/forms/label-input.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Disclosure } from '../../../components/run-steps/disclosure.tsx'
import { SchedulePicker } from '../../../components/schedules/schedule-picker.tsx'
import { rememberProject } from './last-project.ts'
import { PlaceFields } from './place-fields.tsx'
import { initialPlace, toPlace } from './place-values.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { TargetFields } from './target-fields.tsx'
import { TestResponse } from './test-response.tsx'
import { useProbe } from './use-probe.ts'

export function NewServiceForm({ places, projectId }: { places: ServicePlaces; projectId: string | null }) {
  const router = useRouter()
  const { organization } = useMe()
  const [proposedName, setProposedName] = useState('')
  /** The page that opens when the service is created. */
  const next = useRef<'overview' | 'script'>('overview')
  const { form, ...operation } = useOperationForm({
    path: 'services.createWhole',
    schema: NewServiceFields,
    initialValues: {
      method: 'get',
      url: '',
      body: '',
      name: '',
      label: '',
      schedule: SCHEDULE_DEFAULT,
      timezone: '',
      hasRequest: true,
      ...initialPlace(places, projectId, organization.name),
    } as NewServiceFields,
    toInput: ({ name, label, schedule, timezone, hasRequest, ...values }) => ({
      place: toPlace(values),
      name,
      label: label.trim() || null,
      schedule,
      timezone: timezone || null,
      ...(hasRequest ? { script: probe.script } : {}),
    }),
    errorFields: { unverified_domain_interval: 'schedule' },
    onDone: (service) => {
      rememberProject(service.projectId)
      router.push(`/services/${service.id}${next.current === 'script' ? '/script' : ''}`)
    },
  })
  const probe = useProbe(form.values)
  const proposeName = () => {
    const host =
      URL.parse(form.values.url)
        ?.hostname.replace(/^www\./, '')
        .slice(0, NAME_MAX) ?? ''
    if (form.values.name !== '' && form.values.name !== proposedName) return
    form.setFieldValue('name', host)
    setProposedName(host)
  }
  const test = () => {
    if (form.validateField('url').hasError) return
    proposeName()
    probe.test()
  }
  const create = (opens: 'overview' | 'script') => {
    next.current = opens
    // Without a URL, the member writes the whole script in the editor.
    form.setFieldValue('hasRequest', opens === 'overview' || form.values.url.trim() !== '')
    if (form.values.name === '') proposeName()
  }

  return (
    <form onSubmit={operation.submit} noValidate>
      <Stack maw={860}>
        <Section title="Request">
          <TargetFields form={form} onTest={test} isTesting={probe.isTesting} />
          <ProblemAlert error={probe.error} />
          {probe.isOutdated && (
            <Text size="sm" c="dimmed">
              The request has changed since the test. Test it again for suggestions.
            </Text>
          )}
          <div aria-live="polite">{probe.draft && <TestResponse draft={probe.draft} />}</div>
          {probe.suggestions.length > 0 && (
            <SuggestionList suggestions={probe.suggestions} ticked={probe.ticked} onChange={probe.tick} />
          )}
          {form.values.url.trim() !== '' && (
            <Disclosure label="Script">
              <CodeBlock text={probe.script} label="Generated script" wrap />
            </Disclosure>
          )}
        </Section>
        <Section title="When it runs">
          <SchedulePicker {...form.getInputProps('schedule')} timezone={form.getInputProps('timezone')} />
        </Section>
        <Section title="Name and place">
          <NameInput {...form.getInputProps('name')} />
          <LabelInput {...form.getInputProps('label')} />
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
