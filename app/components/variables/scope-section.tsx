'use client'

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Variable } from '#server/schemas/variables.ts'
import { mutation } from '../../client/api.ts'
import { ConfirmRemoval } from '../confirm-removal.tsx'
import { Section } from '../layout/section.tsx'
import { HostsDialog } from './hosts-dialog.tsx'
import { type VariableOwner, variablePath } from './scope.ts'
import { UsageDialog } from './usage-dialog.tsx'
import { ChangeVariableDialog, NewVariableDialog } from './variable-dialog.tsx'
import { VariableTable } from './variable-table.tsx'

/** The variables of one scope, and changing them where the member may. */
export function ScopeSection(props: {
  title: string
  intro?: ReactNode
  owner: VariableOwner
  prefix: string
  editable: boolean
  /** Whether the member may read what the scope holds, rather than its keys alone. */
  readable?: boolean
  variables: Variable[]
  children?: ReactNode
}) {
  const { owner, prefix, editable } = props
  const [isCreating, setCreating] = useState(false)
  const [changing, setChanging] = useState<Variable | null>(null)
  const [binding, setBinding] = useState<Variable | null>(null)
  const [asked, setAsked] = useState<Variable | null>(null)
  const [leaving, setLeaving] = useState<Variable | null>(null)
  const remove = useMutation({ ...mutation(variablePath(owner, 'remove')), onSuccess: () => setLeaving(null) })
  return (
    <Section
      title={props.title}
      intro={props.intro}
      actions={
        editable && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            New variable
          </Button>
        )
      }
    >
      <VariableTable
        owner={owner}
        prefix={prefix}
        variables={props.variables}
        editable={editable}
        readable={props.readable ?? true}
        onChange={setChanging}
        onHosts={setBinding}
        onUsage={setAsked}
        onRemove={setLeaving}
      />
      {props.children}
      {isCreating && <NewVariableDialog owner={owner} prefix={prefix} onClose={() => setCreating(false)} />}
      {changing && <ChangeVariableDialog owner={owner} variable={changing} onClose={() => setChanging(null)} />}
      {binding && <HostsDialog owner={owner} variable={binding} onClose={() => setBinding(null)} />}
      {asked && <UsageDialog owner={owner} variable={asked} prefix={prefix} onClose={() => setAsked(null)} />}
      <ConfirmRemoval
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Delete variable"
        warning={
          <>
            Scripts that read <strong>{leaving?.key}</strong> fail until it is there again.
          </>
        }
        verb="Delete variable"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving && remove.mutate({ id: owner.id, varId: leaving.id })}
      />
    </Section>
  )
}
