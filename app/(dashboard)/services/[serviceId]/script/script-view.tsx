'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../client/api.ts'
import { useResourceAccess } from '../../../../client/use-resource-access.ts'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { ScriptForm } from './script-form.tsx'

export function ScriptView({ id }: { id: string }) {
  const service = useQuery(query('services.get', { id }))
  const { mayWrite } = useResourceAccess('service', id)
  return <Loaded query={service}>{(service) => <ScriptForm service={service} mayWrite={mayWrite} />}</Loaded>
}
