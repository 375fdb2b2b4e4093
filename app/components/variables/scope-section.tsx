'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Variable } from '#server/schemas/variables.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { ConfirmRemoval } from '../forms/confirm-removal.tsx'
import { SectionCreateButton } from '../layout/create-button.tsx'
import { Section } from '../layout/section.tsx'
import { type VariableOwner, variablePath } from './scope.ts'
import { VariableTable } from './variable-table.tsx'

const HostsDialog = lazyDialog(async () => (await import('./hosts-dialog.tsx')).HostsDialog)
const UsageDialog = lazyDialog(async () => (await import('./usage-dialog.tsx')).UsageDialog)
const ChangeVariableDialog = lazyDialog(async () => (await import('./variable-dialog.tsx')).ChangeVariableDialog)
const NewVariableDialog = lazyDialog(async () => (await import('./variable-dialog.tsx')).NewVariableDialog)

/** The variables of one scope. Members with write access can change them. */
export function ScopeSection(props: {
  title: string
  intro?: ReactNode
  owner: VariableOwner
  prefix: string
  editable: boolean
  /** Whether the member may see the values of configuration: whoever may write in the scope may. */
  mayReveal: boolean
  /** False if the member may see only the keys of the variables. */
  readable?: boolean
  variables: Variable[]
  children?: ReactNode
}) {
  const { owner, prefix, editable } = props
  const [isCreating, setCreating] = useState(false)
  const [changing, setChanging] = useState<Variable | null>(null)
  const [editingHosts, setEditingHosts] = useState<Variable | null>(null)
  const [usageOf, setUsageOf] = useState<Variable | null>(null)
  const [removing, setRemoving] = useState<Variable | null>(null)
  const { data: values } = useQuery({
    ...query('variables.values', { scope: owner.scope, resourceId: owner.id }),
    enabled: props.mayReveal && props.variables.some(({ type }) => type === 'variable'),
  })
  const remove = useMutation({ ...mutation(variablePath(owner, 'remove')), onSuccess: () => setRemoving(null) })
  return (
    <Section
      title={props.title}
      intro={props.intro}
      actions={editable && <SectionCreateButton onClick={() => setCreating(true)}>New variable</SectionCreateButton>}
    >
      <VariableTable
        prefix={prefix}
        variables={props.variables}
        values={values}
        editable={editable}
        readable={props.readable ?? true}
        onChange={setChanging}
        onHosts={setEditingHosts}
        onUsage={setUsageOf}
        onRemove={setRemoving}
      />
      {props.children}
      {isCreating && <NewVariableDialog owner={owner} prefix={prefix} onClose={() => setCreating(false)} />}
      {changing && (
        <ChangeVariableDialog
          owner={owner}
          variable={changing}
          value={values?.[changing.id]}
          onClose={() => setChanging(null)}
        />
      )}
      {editingHosts && <HostsDialog owner={owner} variable={editingHosts} onClose={() => setEditingHosts(null)} />}
      {usageOf && <UsageDialog owner={owner} variable={usageOf} prefix={prefix} onClose={() => setUsageOf(null)} />}
      <ConfirmRemoval
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete variable"
        warning={
          <>
            Scripts that read <strong>{removing?.key}</strong> will fail.
          </>
        }
        submitLabel="Delete variable"
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ id: owner.id, varId: removing.id })}
      />
    </Section>
  )
}
