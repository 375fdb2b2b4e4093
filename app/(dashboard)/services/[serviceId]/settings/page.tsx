import { type Load, Prefetch } from '../../../../prefetch.tsx'
import { SettingsView } from './settings-view.tsx'

export default async function SettingsPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const { serviceId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          loadService(load, id),
          load('alerts.preview', { id }),
          load('services.agents.get', { id }),
          load('agents.list'),
          load('status.filters'),
        ])
      }
    >
      <SettingsView id={id} />
    </Prefetch>
  )
}

/** Loads the service, and the next times of its schedule and its window. */
async function loadService(load: Load, id: string): Promise<void> {
  const service = await load('services.get', { id })
  if (!service) return
  const { schedule, timezone, serviceWindow } = service
  await Promise.all([
    load('schedule.preview', { kind: 'schedule', expression: schedule, timezone: timezone ?? 'UTC' }),
    serviceWindow && load('schedule.preview', { kind: 'serviceWindow', expression: serviceWindow }),
  ])
}
