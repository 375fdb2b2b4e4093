'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Output, query } from '../../../../client/api.ts'
import { useResourceAccess } from '../../../../client/use-resource-access.ts'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import type { VariableName } from '../../../../components/script-editor/completion.ts'
import { ScriptForm } from './script-form.tsx'

export function ScriptView({ id }: { id: string }) {
  const service = useQuery(query('services.get', { id }))
  const hierarchy = useQuery(query('variables.service.hierarchy', { id }))
  const { mayWrite } = useResourceAccess('service', id)
  const variables = useMemo(() => hierarchy.data && variableNames(hierarchy.data), [hierarchy.data])
  return (
    <Loaded query={service}>
      {(service) => <ScriptForm service={service} variables={variables ?? null} mayWrite={mayWrite} />}
    </Loaded>
  )
}

/** The names under which scripts read variables. Values are left out: they may be secret. */
function variableNames({ scopes }: Output<'variables.service.hierarchy'>): VariableName[] {
  return scopes.flatMap(({ prefix, scope, resourceName, variables, locked }) => [
    ...variables.map(({ key, type }) => ({ name: `${prefix}${key}`, scope: `${scope} ${resourceName}`, type })),
    ...locked.map(({ key }) => ({ name: `${prefix}${key}`, scope: `${scope} ${resourceName}`, type: 'computed' })),
  ])
}
