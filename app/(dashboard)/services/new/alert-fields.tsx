import { Select, Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { SYSTEM_VARIABLES } from '#server/schemas/alerts/system-variables.ts'
import type { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import { query } from '../../../client/api.ts'
import { existingPlace } from './place-values.ts'

/** When the service alerts, and who hears. */
export function AlertFields({ form }: { form: UseFormReturnType<NewServiceFields> }) {
  const { min, max } = SYSTEM_VARIABLES.confirmFailures
  return (
    <Stack gap="sm">
      <Hearers place={form.values} />
      <Select
        label="Failed runs before an alert"
        description="How many runs in a row must fail."
        maw={320}
        data={Array.from({ length: max - min + 1 }, (_, at) => String(min + at))}
        allowDeselect={false}
        value={String(form.values.confirmFailures)}
        onChange={(runs) => runs && form.setFieldValue('confirmFailures', Number(runs))}
      />
      <Switch
        label="Check again before a run counts as failed"
        description="After 10 seconds a failed run is repeated once, on another agent if there is one. Requests that write are not repeated."
        {...form.getInputProps('rechecks', { type: 'checkbox' })}
      />
    </Stack>
  )
}

/** Who hears of a failure of a service in this place. */
function Hearers({ place: values }: { place: NewServiceFields }) {
  const place = existingPlace(values)
  const { data } = useQuery({ ...query('services.hearers', place ?? { workspaceId: '' }), enabled: place !== null })
  if (place === null)
    return <Text size="sm">You hear of failures. Other members hear of them when they follow the service.</Text>
  return data ? <Text size="sm">{hearersText(data)}</Text> : null
}

function hearersText({
  isHeardByYou,
  others,
  webhooks,
}: {
  isHeardByYou: boolean
  others: number
  webhooks: number
}): string {
  const who = [
    ...(isHeardByYou ? ['you'] : []),
    ...(others > 0 ? [others === 1 ? '1 other member' : `${others} other members`] : []),
    ...(webhooks > 0 ? [webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`] : []),
  ]
  if (who.length === 0) {
    return 'Nobody in this project hears of failures, so the owner of the organization does. Follow the service to hear of them yourself.'
  }
  const isOne = who.length === 1 && (isHeardByYou ? true : others + webhooks === 1)
  const list = new Intl.ListFormat('en').format(who)
  const verb = isOne && !isHeardByYou ? 'hears' : 'hear'
  return `${list.charAt(0).toUpperCase()}${list.slice(1)} ${verb} of failures.`
}
