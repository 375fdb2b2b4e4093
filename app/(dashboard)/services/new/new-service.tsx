'use client'

import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ServicePlaces } from '#server/schemas/new-service/places.ts'
import { query } from '../../../client/api.ts'
import { Lock } from '../../../components/icons.ts'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { WhoToAsk } from '../../../components/who-to-ask.tsx'
import { NewServiceForm } from './new-service-form.tsx'

/** Creates a service on one page. `projectId` is the project that the form starts with, if the member may write there. */
export function NewService({ projectId }: { projectId: string | null }) {
  const places = useQuery({ ...query('services.places'), staleTime: 60_000 })
  return (
    <PageFrame
      title="New service"
      intro="Enter a URL or paste a curl command, test it, and choose what the service expects of the response."
    >
      <Loaded query={places}>
        {(places) => (hasNone(places) ? <NoPlace /> : <NewServiceForm places={places} projectId={projectId} />)}
      </Loaded>
    </PageFrame>
  )
}

function hasNone({ mayCreateWorkspaces, workspaces, projects }: ServicePlaces): boolean {
  return !mayCreateWorkspaces && workspaces.length === 0 && projects.length === 0
}

function NoPlace() {
  return (
    <Alert color="orange" variant="light" icon={<Lock size={18} aria-hidden />} title="You cannot create services">
      <WhoToAsk>A new service needs write access to a project or a workspace. To get it, ask:</WhoToAsk>
    </Alert>
  )
}
