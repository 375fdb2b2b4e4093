import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import { loadWhoToAsk } from '../../../load-who-to-ask.ts'
import { Prefetch } from '../../../prefetch.tsx'
import { LAST_PROJECT_COOKIE } from './last-project.ts'
import { NewService } from './new-service.tsx'

export const metadata: Metadata = { title: 'New service' }

export default async function NewServicePage({ searchParams }: { searchParams: Promise<{ project?: string }> }) {
  const { project } = await searchParams
  const last = (await cookies()).get(LAST_PROJECT_COOKIE)?.value
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('services.places'),
          loadWhoToAsk(load),
          load('schedule.preview', { kind: 'schedule', expression: SCHEDULE_DEFAULT, timezone: 'UTC' }),
        ])
      }
    >
      <NewService projectId={project ?? last ?? null} />
    </Prefetch>
  )
}
