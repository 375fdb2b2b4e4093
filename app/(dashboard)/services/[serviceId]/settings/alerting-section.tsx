'use client'

import { NumberInput, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AlertSettings } from '#server/schemas/alerts/alerting.ts'
import { SYSTEM_VARIABLES } from '#server/schemas/alerts/system-variables.ts'
import { query } from '../../../../client/api.ts'
import { notify } from '../../../../client/notify.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { AlertPreview } from '../alerts/alert-preview.tsx'

/** When the service alerts, and who is notified then. */
export function AlertingSection({ serviceId, mayWrite }: { serviceId: string; mayWrite: boolean }) {
  const preview = useQuery(query('alerts.preview', { id: serviceId }))
  return (
    <Section
      title="Alerting"
      anchor="alerting"
      intro="Scripts read these settings as variables of the service, such as confirmFailures."
    >
      <Loaded query={preview} rows={3}>
        {(alerting) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <AlertingForm serviceId={serviceId} settings={alerting.settings} mayWrite={mayWrite} />
            <Stack gap="xs" component="section" aria-label="Who is notified of a failure">
              <Text size="sm" fw={600}>
                Who is notified of a failure now
              </Text>
              <AlertPreview alerting={alerting} />
            </Stack>
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  )
}

function AlertingForm(props: { serviceId: string; settings: AlertSettings; mayWrite: boolean }) {
  const { form, ...operation } = useOperationForm({
    path: 'alerts.configure',
    schema: AlertSettings,
    initialValues: props.settings,
    toInput: (values) => ({ id: props.serviceId, ...values }),
    onDone: (saved, form) => {
      form.setInitialValues(saved)
      form.reset()
      notify({ color: 'teal', message: 'Alert settings saved.' })
    },
  })
  const wholeNumber = (name: 'recheckSeconds' | 'confirmFailures' | 'confirmRecoveries' | 'remindMinutes') => {
    const { min, max } = SYSTEM_VARIABLES[name]
    return {
      min,
      max,
      clampBehavior: 'none',
      allowDecimal: false,
      required: true,
      ...form.getInputProps(name),
    } as const
  }
  return (
    <FormFrame {...operation} submitLabel="Save alert settings" readOnly={!props.mayWrite}>
      <NumberInput
        label="Seconds before a failure is rechecked"
        description="A failed scheduled run is repeated once, on another agent if there is one. It has failed only if the recheck fails too. 0 never repeats it. With all agents at once, nothing is repeated."
        {...wholeNumber('recheckSeconds')}
      />
      <Switch
        label="Recheck scripts that write"
        description="Also repeat scripts that send POST, PUT, PATCH or DELETE. Leave this off if a second order or payment would be wrong."
        {...form.getInputProps('recheckWrites', { type: 'checkbox' })}
      />
      <NumberInput
        label="Failed runs before an alert"
        description="How many runs in a row must fail. With 1, the first failed run alerts. With all agents, each agent counts its own."
        {...wholeNumber('confirmFailures')}
      />
      <NumberInput
        label="Passing runs before a recovery"
        description="How many runs in a row must pass before a failed service has recovered."
        {...wholeNumber('confirmRecoveries')}
      />
      <Switch
        label="Alert on recovery"
        description="The same members and webhooks are notified when the service recovers."
        {...form.getInputProps('alertOnRecovery', { type: 'checkbox' })}
      />
      <NumberInput
        label="Minutes between reminders"
        description="Reminders are sent while the service is failing, until a member acknowledges the incident. 0 sends none."
        {...wholeNumber('remindMinutes')}
      />
    </FormFrame>
  )
}
